# What becomes of a call, by the tables of a page in data.capc. This module is the same for every page.
#
# input.place: where the conversation is, "SESSION.TASK.PHASE"; input.tool: the tool; input.arguments: an object, once it was
# held against the tool's schema. input.label: what the conversation has seen, joined with every result, as
# {"confidentiality": "…", "integrity": "…", "compartments": ["…"]}; input.unattended: true where nobody is there to be asked.
#
# data.capc.answer: auto, consent (of a person), stepUp (a signature of theirs), refusedByPolicy or unknownTool.
package capc

default answer := "refusedByPolicy"

answer := "unknownTool" if not cell

else := data.tables.modes[gate] if {
	gate < 3
	passable
}

passable if gate == 0

passable if {
	not cell.gateless
	input.unattended == false
}

passable if {
	not cell.gateless
	data.tables.places[input.place].waits
}

cell := data.tables.places[input.place].tools[input.tool]

list := data.tables.decisions[cell.decision]

# The strictest of all groups of lines, of all floors that are met, and of the release that the arguments need.
gate := max(array.concat([outcome(group) | some group in list.groups], array.concat(
	[floor.mode | some floor in list.floors; not spared(floor)],
	[flowing],
)))

# Of the lines of a group, those that match and that no more specific one displaces; without any, what stands behind `else`.
outcome(group) := list.worst if {
	some line in group.lines
	some condition in line.conditions
	not known(condition)
} else := max([line.met | some line in group.lines; matches(line); not displaced(group, line)]) if {
	some line in group.lines
	matches(line)
} else := group.unmatched

matches(line) if {
	every condition in line.conditions { holds(condition) }
}

displaced(group, line) if {
	some index in line.above
	matches(group.lines[index])
}

known(condition) if holds(condition)

known(condition) if fails(condition)

# Ways in which a floor is not met. What is no word of the page spares nobody.
spared(floor) if confidentiality < floor.confidentiality

spared(floor) if integrity > floor.integrity

spared(floor) if {
	is_array(input.label.compartments)
	some compartment in floor.compartments
	not compartment in input.label.compartments
}

spared(floor) if {
	floor.unattended
	input.unattended == false
}

# Of the arguments: only a floor whose conditions are all known, and not all true, spares a call.
spared(floor) if {
	every condition in floor.conditions { known(condition) }
	some condition in floor.conditions
	fails(condition)
}

confidentiality := data.tables.confidentiality[input.label.confidentiality]

integrity := data.tables.integrity[input.label.integrity]

# The gate between the conversation and where the arguments go: none where they may flow, else that of the loosest release.
default flowing := 3

flowing := 3 if cell.never

else := 0 if not cell.sink

else := 0 if flows(cell.sink)

else := min([release.gate |
	some release in cell.releases
	flows(release.from)
	flows(release.rest)
])

flows(label) if {
	confidentiality <= label.confidentiality
	integrity >= label.integrity
	every compartment in input.label.compartments { compartment in label.compartments }
}

# Three truths: a condition that neither holds nor fails is not known, and its group takes the strictest mode of its cell.
holds(condition) if {
	condition.operator != "notEqual"
	some literal in condition.literals
	meets(condition, literal)
	every one in condition.literals { compared(condition, one) }
}

holds(condition) if {
	condition.operator == "notEqual"
	every literal in condition.literals { misses(condition, literal) }
}

fails(condition) if {
	condition.operator != "notEqual"
	every literal in condition.literals { misses(condition, literal) }
}

fails(condition) if {
	condition.operator == "notEqual"
	every literal in condition.literals { meets(condition, literal) }
}

compared(condition, literal) if meets(condition, literal)

compared(condition, literal) if misses(condition, literal)

term(condition) := object.get(input.arguments, condition.path, null)

meets(condition, literal) if {
	condition.term == "value"
	equality(condition.operator)
	plain_kind(literal)
	type_name(term(condition)) == type_name(literal.value)
	term(condition) == literal.value
}

misses(condition, literal) if {
	condition.term == "value"
	equality(condition.operator)
	plain_kind(literal)
	type_name(term(condition)) == type_name(literal.value)
	term(condition) != literal.value
}

equality(operator) if operator in {"equal", "notEqual", "in"}

plain_kind(literal) if literal.kind in {"text", "boolean"}

# Amounts.
meets(condition, literal) if {
	condition.term == "value"
	literal.kind == "decimal"
	ordered(condition.operator, amount(term(condition)), to_number(literal.value))
}

misses(condition, literal) if {
	condition.term == "value"
	literal.kind == "decimal"
	number := amount(term(condition))
	comparing(condition.operator)
	not ordered(condition.operator, number, to_number(literal.value))
}

meets(condition, literal) if {
	condition.term == "size"
	literal.kind == "decimal"
	ordered(condition.operator, bytes(term(condition)), to_number(literal.value))
}

misses(condition, literal) if {
	condition.term == "size"
	literal.kind == "decimal"
	number := bytes(term(condition))
	comparing(condition.operator)
	not ordered(condition.operator, number, to_number(literal.value))
}

comparing(operator) if operator in {"equal", "notEqual", "in", "less", "lessOrEqual", "greater", "greaterOrEqual"}

ordered("equal", left, right) if left == right

ordered("notEqual", left, right) if left == right

ordered("in", left, right) if left == right

ordered("less", left, right) if left < right

ordered("lessOrEqual", left, right) if left <= right

ordered("greater", left, right) if left > right

ordered("greaterOrEqual", left, right) if left >= right

# A number whose shortest form has no exponent; or an exact decimal as text.
amount(value) := value if {
	is_number(value)
	abs(value) < 1e21
	not tiny(value)
}

amount(value) := to_number(value) if {
	is_string(value)
	count(value) <= 64
	regex.match(`^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$`, value)
}

tiny(value) if {
	value != 0
	abs(value) < 0.000001
}

# Of UTF-8: a byte for each character, and one more for each limit that it is beyond.
bytes(text) := sum([count(characters) | some characters in [
	split(text, ""),
	[one | some one in split(text, ""); one >= "\u0080"],
	[one | some one in split(text, ""); one >= "\u0800"],
	[one | some one in split(text, ""); one >= "\ud800\udc00"],
]]) if {
	is_string(text)
	text != ""
}

bytes("") := 0

# Folders: names in order, without empty ones and `.`; `..` could lead anywhere.
meets(condition, literal) if {
	condition.operator == "under"
	condition.term == "value"
	segments := path(term(condition))
	array.slice(segments, 0, count(literal.folder)) == literal.folder
}

misses(condition, literal) if {
	condition.operator == "under"
	condition.term == "value"
	segments := path(term(condition))
	array.slice(segments, 0, count(literal.folder)) != literal.folder
}

path(text) := [name | some name in split(text, "/"); not name in {"", "."}] if {
	is_string(text)
	not contains(text, "\u0000")
	not ".." in split(text, "/")
}

# Origins: shown at the beginning of a URL. Of another one only plain hosts are known.
meets(condition, literal) if {
	condition.term == "origin"
	equality(condition.operator)
	url := term(condition)
	some begin in literal.begins
	begins(url, begin)
}

misses(condition, literal) if {
	condition.term == "origin"
	equality(condition.operator)
	literal.begins
	url := term(condition)
	regex.match(`^https?://(?:[a-z0-9_-]+\.)*[a-z]+(?::[1-9][0-9]{0,3})?(?:[/?#]|$)`, url)
	not contains(url, "xn--")
	not any_begins(url, literal.begins)
}

any_begins(url, beginnings) if {
	some begin in beginnings
	begins(url, begin)
}

begins(url, begin) if url == begin

begins(url, begin) if {
	some end in ["/", "?", "#"]
	startswith(url, concat("", [begin, end]))
}
