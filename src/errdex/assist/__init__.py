"""A model may help, and is never believed: what it offers is checked claim by claim before it is kept."""
