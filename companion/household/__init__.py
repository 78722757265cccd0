"""What a household sets, says and adds: settings, secrets, logging, languages, files of its own."""
