# Everything a person types here. `make` alone lists it. Needs Python 3.11 or newer (with venv), and make.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/pip --disable-pip-version-check

LANGUAGES := pt_BR es
CATALOGUES := $(patsubst %.po,%.mo,$(wildcard companion/translations/*/LC_MESSAGES/*.po companion/games/*/translations/*/LC_MESSAGES/*.po))
CODE := companion hardware calibration models tests hatch_build.py docs/hooks.py
LOCKS := requirements/build.txt requirements/run.txt requirements/dev.txt requirements/docs.txt
CHROMIUM := $(shell command -v chromium || command -v chromium-browser || command -v google-chrome)

# As the companion itself does: threads of NumPy's spin for sums too small to share.
export OPENBLAS_NUM_THREADS := 1

.DEFAULT_GOAL := help
.PHONY: help run install test browser whole check bench docs lock translations clean

help:  ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-13s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: $(VENV)/run.stamp $(CATALOGUES)  ## Open the page with a demonstration table (PORT=8001 for another port)
	@$(BIN)/companion serve --demo$(if $(GAME), $(GAME))$(if $(PORT), --port $(PORT))

install: $(VENV)/run.stamp $(CATALOGUES)  ## Prepare .venv, with the command .venv/bin/companion
	@echo "Ready: $(BIN)/companion"

# Tests of a room go to whichever core is free; those of a browser share what a file sets up, and stay together.
PYTEST := $(BIN)/pytest --numprocesses auto

test: $(VENV)/dev.stamp $(CATALOGUES)  ## Run the tests, in a real browser too when Chromium is here
	@$(PYTEST) --dist worksteal -m "not soak and not whole and not browser"
ifneq ($(CHROMIUM),)
	@$(MAKE) --no-print-directory browser
else
	@echo "The browser tests are left out: no chromium, chromium-browser or google-chrome was found on this computer."
	@echo "To run them too, install one (on Debian and Raspberry Pi OS: apt install chromium)."
endif

browser: $(VENV)/dev.stamp $(CATALOGUES)  ## Run the tests in a real browser alone
	@$(PYTEST) --dist loadfile -m "browser and not soak and not whole"

whole: $(VENV)/dev.stamp $(CATALOGUES)  ## Run the tests that play whole games and long films
	@$(PYTEST) --dist worksteal -m "whole and not soak"

check: $(VENV)/dev.stamp  ## Check style, types and who imports whom
	@$(BIN)/ruff check $(CODE)
	@$(BIN)/ruff format --check $(CODE)
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-logo --no-cache

bench: $(VENV)/run.stamp $(CATALOGUES)  ## Measure how fast it is on this computer
	@$(BIN)/companion bench

docs: $(VENV)/docs.stamp  ## Build these pages as a site, into build/site
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict
	@echo "Ready: build/site/index.html"

$(VENV)/venv.stamp:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Table Companion needs Python 3.11 or newer; $(PYTHON) is older. Name another: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	@echo "Making $(VENV) with $$($(PYTHON) --version) (once)"
	@$(PYTHON) -m venv $(VENV) || \
	  { echo "Python's venv module is incomplete (on Debian and Raspberry Pi OS: apt install python3-venv)."; rm -rf $(VENV); exit 1; }
	@touch $@

# A line of names, each as its turn comes, instead of pip's many; what pip complains about is shown in full.
define fetch
	@{ $(PIP) install --progress-bar off --require-hashes $(foreach lock,$(1),-r $(lock)) || echo Failed; } | { \
	  status=0; \
	  while read -r word name rest; do case "$$word" in \
	    Collecting|Processing) name=$${name##*/}; name=$${name%%[=<>]*}; printf ' %s' "$${name%%-[0-9]*}";; \
	    Installing) printf '\n Unpacking…';; \
	    Failed) status=1; printf '\nNot everything could be fetched: look whether this computer reaches the internet, then try again.';; \
	  esac; done; \
	  echo; exit $$status; }
endef

# The project itself goes in last and without a look at the network: what it needs and what builds it are locked.
$(VENV)/run.stamp: $(VENV)/venv.stamp requirements/build.txt requirements/run.txt pyproject.toml hatch_build.py
	@echo "Installing what the companion needs (once; under a minute on a good line)"
	$(call fetch,requirements/build.txt requirements/run.txt)
	@echo "Installing Table Companion itself"
	@$(PIP) install --quiet --no-build-isolation --no-deps --editable .
	@touch $@

$(VENV)/dev.stamp: $(VENV)/run.stamp requirements/dev.txt
	@echo "Installing the test and check tools (once)"
	$(call fetch,requirements/dev.txt)
	@touch $@

$(VENV)/docs.stamp: $(VENV)/run.stamp requirements/docs.txt
	@echo "Installing what builds the site (once)"
	$(call fetch,requirements/docs.txt)
	@touch $@

# An installation compiles every catalogue; one that was edited since is compiled here.
%.mo: %.po | $(VENV)/run.stamp
	@$(BIN)/pybabel --quiet compile --input-file $< --output-file $@

# pip's own settings on this computer are left aside, so that nothing of them reaches the lock files. Locking with the
# oldest Python we support keeps every version installable on the newer ones.
LOCK := env -u PIP_FIND_LINKS -u PIP_EXTRA_INDEX_URL -u PIP_INDEX_URL PIP_CONFIG_FILE=/dev/null $(VENV)/lock/bin/pip-compile \
  --quiet --upgrade --generate-hashes --strip-extras --allow-unsafe --no-header --no-emit-options pyproject.toml

lock: $(VENV)/venv.stamp  ## Lock the newest versions of everything into requirements/
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))' || \
	  { echo "Lock with the oldest Python we support: make PYTHON=python3.11 lock"; exit 1; }
	@$(PYTHON) -m venv $(VENV)/lock
	@$(VENV)/lock/bin/pip install --quiet pip-tools==7.6.2
	@echo "Locking requirements/build.txt"
	@$(LOCK) --build-deps-for editable --only-build-deps --output-file requirements/build.txt
	@echo "Locking requirements/run.txt"
	@$(LOCK) --output-file requirements/run.txt
	@echo "Locking requirements/dev.txt"
	@$(LOCK) --extra dev --constraint requirements/build.txt --constraint requirements/run.txt --output-file requirements/dev.txt
	@echo "Locking requirements/docs.txt"
	@$(LOCK) --extra docs --constraint requirements/build.txt --constraint requirements/run.txt --output-file requirements/docs.txt
	@! grep -nE '://|^-' $(LOCKS) || { echo "A lock file names a host or an option of pip; mend it before it is committed."; exit 1; }

# In the headings of every catalogue: Babel fills in somebody who does not exist, and today.
NEVER := 2026-01-01 00:00+0000

# Every game keeps the catalogue of its own words; all the others share one. Each is written in the order of its sources,
# without line numbers or changing dates, so that a change of words is all that a diff shows.
define catalogue
	@mkdir -p build
	@$(BIN)/pybabel --quiet extract --mapping pyproject.toml --keywords "_n:1,2" --add-comments "Translators:" \
	  --add-location file --width 110 --project "Table Companion:" --version "$(1)" \
	  --header-comment "# The words of $(1)." --output build/$(1).pot $(3)
	@for language in $(LANGUAGES); do \
	  po=$(2)/$$language/LC_MESSAGES/$(1); mkdir -p $${po%/*}; \
	  $(BIN)/pybabel --quiet update --init-missing --no-fuzzy-matching --ignore-obsolete --ignore-pot-creation-date --width 110 \
	    --locale $$language --input-file build/$(1).pot --output-file $$po.po && \
	  sed -i.bak -E 's/^("(Last-Translator|Language-Team|Report-Msgid-Bugs-To):).*\\n"$$/\1 \\n"/; s/^("(POT-Creation|PO-Revision)-Date:).*\\n"$$/\1 $(NEVER)\\n"/' $$po.po && rm $$po.po.bak && \
	  $(BIN)/pybabel compile --statistics --locale $$language --input-file $$po.po --output-file $$po.mo || exit 1; \
	done

endef

GAMES := $(notdir $(patsubst %/,%,$(filter-out %__pycache__/,$(sort $(wildcard companion/games/*/)))))

translations: $(VENV)/run.stamp  ## Bring the catalogues of every language up to date with the code
	$(call catalogue,companion,companion/translations,$(filter-out companion/games,$(sort $(wildcard companion/*))) companion/games/__init__.py hardware calibration models)
	$(foreach game,$(GAMES),$(call catalogue,$(game),companion/games/$(game)/translations,companion/games/$(game)))

clean:  ## Remove .venv and everything that was built
	@rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
