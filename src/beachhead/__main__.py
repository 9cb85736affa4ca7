"""`python -m beachhead` is `beachhead`."""

from beachhead.cli import main

if __name__ == "__main__":
    main(prog_name="beachhead")
