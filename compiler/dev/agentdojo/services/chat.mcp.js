// Stands for the server that lists the tools of `slack.tools.json`: the measurement asks decisions, and calls no tool.
