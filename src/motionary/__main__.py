"""The command line as `python -m motionary`, where the script is not on the path."""

from motionary.cli import main

if __name__ == "__main__":
    main()
