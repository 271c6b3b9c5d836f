"""Man pages from what a program of swift-argument-parser says of itself: manual.py SECTION PROGRAM FOLDER.

One page for the program and one for each of its commands, in man(7)'s own macros.
"""

import json
import re
import subprocess
import sys


FILES = [
    ("/etc/reckon/reckond.toml", "Its configuration, with a comment for each key."),
    ("/run/reckon/location.sock", "Where clients connect."),
    ("/var/lib/reckon/reckon.sqlite", "Regions, decisions, who used location, and what the engine learned."),
]


def escaped(text):
    """Text as roff takes it: no escape, no request at the start of a line, hyphens that can be copied."""
    text = text.replace("\\", r"\e").replace("-", r"\-")
    return "\n".join("\\&" + line if line[:1] in ".'" else line for line in text.split("\n"))


def option(argument):
    """The names of an argument and of its value, as they are typed."""
    value = rf"\fI{escaped(argument['valueName'])}\fR" if argument.get("valueName") else ""
    if argument["kind"] == "positional":
        return value
    dashes = {"long": "--", "short": "-", "longWithSingleDash": "-"}
    names = [rf"\fB{escaped(dashes[name['kind']] + name['name'])}\fR" for name in argument["names"]]
    return ", ".join(names) + (f" {value}" if argument["kind"] == "option" else "")


def page(section, names, command, version, others):
    """The text of one page."""
    name = "-".join(names)
    shown = [a for a in command.get("arguments", []) if a["shouldDisplay"]]
    commands = [c for c in command.get("subcommands", []) if c["commandName"] != "help"]
    lines = [
        f'.TH {name.upper()} {section} "" "Reckon {version}" "Reckon"',
        ".SH NAME",
        rf"{name} \- {escaped(command['abstract'][:1].lower() + command['abstract'][1:].rstrip('.'))}",
        ".SH SYNOPSIS",
        rf".B {' '.join(names)}",
    ]
    if commands:
        lines.append(r"\fIcommand\fR [\fIarguments\fR]")
    for argument in shown:
        preferred = [argument["preferredName"]] if "preferredName" in argument else []
        text = option({**argument, "names": preferred})
        text += " ..." if argument["isRepeating"] else ""
        lines.append(f"[{text}]" if argument["isOptional"] else text)
    paragraphs = [escaped(command["abstract"])]
    parts = re.split(r"\n\s*\n", command.get("discussion", "").strip())
    paragraphs += [escaped(part) for part in parts if part]
    lines += [".SH DESCRIPTION", "\n.PP\n".join(paragraphs)]
    if commands:
        lines.append(".SH COMMANDS")
        for sub in commands:
            lines += [".TP", rf"\fB{escaped('-'.join(names + [sub['commandName']]))}\fR({section})"]
            lines.append(escaped(sub["abstract"]))
    if shown:
        lines.append(".SH OPTIONS")
        for argument in shown:
            text = argument.get("abstract", "")
            if argument.get("defaultValue") is not None:
                text += f" (default: {argument['defaultValue']})"
            lines += [".TP", option(argument), escaped(text) or r"\&"]
    if names == ["reckond"]:
        lines.append(".SH FILES")
        for path, text in FILES:
            lines += [".TP", rf"\fI{escaped(path)}\fR", text]
    lines += [".SH SEE ALSO", ",\n".join(rf".BR {escaped(other)} ({number})" for other, number in others)]
    return "\n".join(lines) + "\n"


def main(section, program, folder):
    def said(option):
        return subprocess.run([program, option], capture_output=True, text=True, check=True).stdout

    version = said("--version").split()[0]
    root = json.loads(said("--experimental-dump-help"))["command"]
    name = root["commandName"]
    if name != program.rsplit("/", 1)[-1]:
        raise SystemExit(f"error: {program} calls itself {name}")
    commands = [c for c in root.get("subcommands", []) if c["commandName"] != "help"]
    others = {"reckon": [("reckond", 8), ("gpsd", 8)], "reckond": [("reckon", 1), ("gpsd", 8)]}[name]
    pages = [([name], root, others)]
    pages += [([name, c["commandName"]], c, [(name, section)] + others) for c in commands]
    for names, command, see in pages:
        with open(f"{folder}/{'-'.join(names)}.{section}", "w", encoding="utf-8") as file:
            file.write(page(section, names, command, version, see))


if __name__ == "__main__":
    main(*sys.argv[1:])
