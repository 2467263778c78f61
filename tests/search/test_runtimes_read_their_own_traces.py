"""Traces of the other runtimes, as Node 20, Go 1.22, Rust 1.75, Java 21, .NET 8, Ruby 3.3 and PHP 8.3 print them."""

from __future__ import annotations

import pytest

from errdex.search import read_trace

NODE = """/srv/app/node_modules/acme/lib/pool.js:62
    throw new TimeoutError('no connection within ' + ms + ' ms');
    ^

TimeoutError: no connection within 500 ms
    at Pool.take (/srv/app/node_modules/acme/lib/pool.js:62:11)
    at async handler (/srv/app/index.js:14:20)
    at process.processTicksAndRejections (node:internal/process/task_queues:95:5) {
  [cause]: Error: connect ECONNREFUSED 127.0.0.1:5432
      at TCPConnectWrap.afterConnect [as oncomplete] (node:net:1555:16)
}

Node.js v20.11.1
"""
GO = """panic: handlers are already registered for path '/'

goroutine 1 [running]:
github.com/acme/web.(*node).addRoute(0xc0000a2000, {0x7d, 0x1})
\t/go/pkg/mod/github.com/acme/web@v1.9.1/tree.go:253 +0xa5c
github.com/acme/web.(*Engine).addRoute(...)
\t/go/pkg/mod/github.com/acme/web@v1.9.1/web.go:343
main.main()
\t/srv/app/main.go:12 +0x85
exit status 2
"""
RUST = """thread 'main' panicked at src/main.rs:5:37:
there is no reactor running, must be called from the context of a runtime
stack backtrace:
   0: rust_begin_unwind
             at /rustc/82e1608dfa6e0b5569232559e3d385fea5a93112/library/std/src/panicking.rs:645:5
   1: acme::runtime::handle
             at /home/me/.cargo/registry/src/acme-1.5.0/src/runtime/context.rs:37:21
   2: app::main
             at ./src/main.rs:5:37
note: Some details are omitted, run with `RUST_BACKTRACE=full` for a verbose backtrace.
"""
RUST_OLD = "thread 'tokio-runtime-worker' panicked at 'index out of range: 7', src/pool.rs:84:9\n"
ANYHOW = """Error: cannot start the server

Caused by:
    0: cannot read the configuration
    1: No such file or directory (os error 2)
"""
JAVA = """Exception in thread "main" com.acme.ServiceException: cannot take a connection
\tat com.acme.Service.call(Service.java:21)
\tat com.acme.Main.main(Main.java:8)
Caused by: java.sql.SQLTransientConnectionException: Pool-1 - request timed out after 30004ms.
\tat com.acme.pool.Pool.createTimeoutException(Pool.java:696)
\tat com.acme.pool.Pool.take(Pool.java:181)
\tat java.base/java.lang.Thread.run(Thread.java:1583)
\t... 2 more
"""
CSHARP = """Unhandled exception. System.InvalidOperationException: Cannot build the host
 ---> System.ArgumentException: Unable to resolve service for type 'Acme.IClock'.
   at Acme.Di.CallSiteFactory.Create(Type type) in /src/Di/CallSiteFactory.cs:line 346
   at Acme.Di.Engine.Build() in /src/Di/Engine.cs:line 20
   --- End of inner exception stack trace ---
   at Acme.Host.Run() in /src/Host.cs:line 9
"""
RUBY = """app.rb:3:in 'Acme::Pool#take': no connection within 5 seconds (Acme::TimeoutError)
\tfrom app.rb:8:in 'block in <main>'
\tfrom app.rb:8:in 'Integer#times'
\tfrom app.rb:8:in '<main>'
"""
PHP = """PHP Fatal error:  Uncaught Acme\\BindingException: Target class [bindings] does not exist. in /srv/vendor/acme/src/Container.php:835
Stack trace:
#0 /srv/vendor/acme/src/Container.php(714): Acme\\Container->build('bindings')
#1 /srv/index.php(5): Acme\\Container->make('bindings')
#2 {main}
  thrown in /srv/vendor/acme/src/Container.php on line 835
"""

SHAPES = {
    "node": (NODE, "node", "TimeoutError", "no connection within 500 ms", ("pool.js", 62, "Pool.take")),
    "go": (
        GO,
        "go",
        "panic",
        "handlers are already registered for path '/'",
        ("web@v1.9.1/tree.go", 253, "web.(*node).addRoute"),
    ),
    "rust": (
        RUST,
        "rust",
        "panic",
        "there is no reactor running, must be called from the context of a runtime",
        ("src/main.rs", 5, None),
    ),
    "rust before 1.73": (RUST_OLD, "rust", "panic", "index out of range: 7", ("src/pool.rs", 84, None)),
    "java": (
        JAVA,
        "java",
        "com.acme.ServiceException",
        "cannot take a connection",
        ("com/acme/Service.java", 21, "Service.call"),
    ),
    "csharp": (
        CSHARP,
        "csharp",
        "System.InvalidOperationException",
        "Cannot build the host",
        None,
    ),
    "ruby": (RUBY, "ruby", "Acme::TimeoutError", "no connection within 5 seconds", ("app.rb", 3, "take")),
    "php": (
        PHP,
        "php",
        "Acme\\BindingException",
        "Target class [bindings] does not exist.",
        ("src/Container.php", 835, None),
    ),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_what_the_program_died_of_is_read(shape):
    """Runtime, class, message and innermost frame of the exception that ended the program."""
    text, runtime, error_class, message, place = SHAPES[shape]
    read = read_trace(text)
    last = read.blocks[-1]
    assert (read.runtime, last.error_class, last.message) == (runtime, error_class, message)
    if place is not None:
        innermost = last.frames[-1]
        assert innermost.path.endswith(place[0])
        assert (innermost.line, innermost.function) == place[1:]


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (JAVA, ("java.sql.SQLTransientConnectionException", "Pool-1 - request timed out after 30004ms.")),
        (CSHARP, ("System.ArgumentException", "Unable to resolve service for type 'Acme.IClock'.")),
        (ANYHOW, (None, "No such file or directory (os error 2)")),
        (NODE, ("Error", "connect ECONNREFUSED 127.0.0.1:5432")),
    ],
    ids=["java", "csharp", "anyhow", "node"],
)
def test_the_innermost_cause_stands_first(text, cause):
    """Runtimes that print the outermost error first are turned round: the cause is the first block."""
    first = read_trace(text).blocks[0]
    assert (first.error_class, first.message) == cause


def test_go_and_rust_paths_betray_versions():
    """A module's or crate's version stands in its path (names in the form that PEP 503 gives all)."""
    assert read_trace(GO).versions["github-com/acme/web"] == "1.9.1"
    assert read_trace(RUST).versions["acme"] == "1.5.0"


@pytest.mark.parametrize(
    ("text", "package", "version"),
    [
        (
            '  File "/x/setuptools-39.1.0-py3.5.egg/pkg_resources/__init__.py", line 892, in require',
            "setuptools",
            "39.1.0",
        ),
        (
            "For further information visit https://errors.pydantic.dev/2.10/u/model-field-missing",
            "pydantic",
            "2.10",
        ),
        ("(Background on this error at: https://sqlalche.me/e/14/gkpj)", "sqlalchemy", "1.4"),
        ("plugins: anyio-4.9.0, cov-5.0.0", "anyio", "4.9.0"),
        ("Django Version: 3.2.24", "django", "3.2.24"),
        ("Requests_Toolbelt==1.0.0", "requests-toolbelt", "1.0.0"),
        ("DEB [20170603] SSH-2.0-paramiko_2.1.2", "paramiko", "2.1.2"),
        ("numpy 1.24.4", "numpy", "1.24.4"),
        ("/opt/conda/pkgs/pandas-1.4.2-py39/lib", "pandas", "1.4.2"),
    ],
)
def test_a_text_betrays_versions(text, package, version):
    """Egg names, message URLs, pytest headers, pages, pins, banners and conda folders name versions."""
    assert read_trace(f"{text}\nValueError: x").versions.get(package) == version


def test_advice_to_install_a_version_is_no_version():
    """`pip install X==1.0` in a message says what to do, not what there is."""
    assert read_trace("ImportError: run `pip install openai==0.28` first").versions == {}
