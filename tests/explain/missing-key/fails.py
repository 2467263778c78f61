from string import Template

# throws: KeyError "'name'"
Template("Hello $name").substitute(nick="Ada")
