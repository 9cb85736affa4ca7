"""Rows of rule cases (tests/*/cases/*.toml) are tests, too."""

pytest_plugins = ["beachhead.pytest_plugin"]
