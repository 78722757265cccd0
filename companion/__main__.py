"""`python -m companion` is the command `companion`."""

from companion.cli import main

raise SystemExit(main())
