// Writes man pages of a command out of what it says of itself: one for the command, one for each of its subcommands.
// Usage: auditctl --experimental-dump-help | manual NAME VERSION FOLDER

import Foundation

struct Dump: Decodable { var command: Command }

struct Command: Decodable {
  var commandName: String
  var abstract: String?
  var discussion: String?
  var shouldDisplay: Bool?
  var arguments: [Argument]?
  var subcommands: [Command]?
}

struct Argument: Decodable {
  struct Name: Decodable {
    var kind: String
    var name: String
  }
  var kind: String
  var names: [Name]?
  var preferredName: Name?
  var valueName: String?
  var abstract: String?
  var discussion: String?
  var defaultValue: String?
  var isOptional: Bool
  var isRepeating: Bool
  var shouldDisplay: Bool
}

/// Text as roff takes it: ASCII, and nothing in it is a request.
func escaped(_ text: String) -> String {
  var result = ""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\\": result += "\\e"
    case "-": result += "\\-"
    case _ where !scalar.isASCII: result += "\\[u" + String(format: "%04X", scalar.value) + "]"
    default: result.unicodeScalars.append(scalar)
    }
  }
  return result.split(separator: "\n", omittingEmptySubsequences: false)
    .map { $0.hasPrefix(".") || $0.hasPrefix("'") ? "\\&" + $0 : String($0) }.joined(separator: "\n")
}

/// Paragraphs, headings in capitals, and indented lines as they stand if they are short.
func body(_ discussion: String) -> String {
  var lines: [String] = []
  var isAsWritten = false
  for line in discussion.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
    if isAsWritten != (line.hasPrefix("  ") && line.count <= 100) {
      isAsWritten.toggle()
      lines.append(isAsWritten ? ".nf" : ".fi")
    }
    let isHeading = !line.isEmpty && line.allSatisfy { $0.isUppercase || $0 == " " }
    if isHeading {
      lines.append(".SH \(escaped(line))")
    } else if line.isEmpty {
      lines.append(".PP")
    } else {
      lines.append(escaped(isAsWritten ? line : line.trimmingCharacters(in: .whitespaces)))
    }
  }
  if isAsWritten { lines.append(".fi") }
  return lines.joined(separator: "\n")
}

func flag(_ name: Argument.Name) -> String { (name.kind == "long" ? "--" : "-") + name.name }

/// The value's name: in capitals as it stands, else in angle brackets, as in the help of the command.
func value(_ argument: Argument) -> String {
  let name = argument.valueName ?? "value"
  return name == name.uppercased() ? name : "<\(name)>"
}

func usage(_ argument: Argument) -> String {
  var text: String
  switch argument.kind {
  case "positional": text = value(argument)
  case "option": text = "\(argument.preferredName.map(flag) ?? "") \(value(argument))"
  default: text = argument.preferredName.map(flag) ?? ""
  }
  if argument.isRepeating { text += " ..." }
  return argument.isOptional ? "[\(text)]" : text
}

func entry(_ argument: Argument) -> String {
  var head = argument.kind == "positional" ? "" : (argument.names ?? []).map(flag).joined(separator: ", ")
  if argument.kind != "flag" { head += (head.isEmpty ? "" : " ") + value(argument) }
  var text = argument.abstract ?? ""
  if let initial = argument.defaultValue { text += " (default: \(initial))" }
  if let more = argument.discussion, !more.isEmpty { text += "\n" + more }
  return ".TP\n.B \(escaped(head))\n\(escaped(text))"
}

func page(_ command: Command, path: [String], version: String) -> String {
  let title = path.joined(separator: "-")
  let arguments = (command.arguments ?? []).filter(\.shouldDisplay)
  let subcommands = (command.subcommands ?? []).filter { $0.shouldDisplay ?? true && $0.commandName != "help" }
  let common = ["version", "help"]
  let used = arguments.filter { !common.contains($0.preferredName?.name ?? "") }.map(usage)
  var parts = [
    ".TH \(escaped(title.uppercased())) 1 \"\" \"FlowRecorder \(version)\" \"FlowRecorder\"\n.ad l\n.nh",
    ".SH NAME\n\(escaped(title)) \\- \(escaped(command.abstract ?? ""))",
    ".SH SYNOPSIS\n.B \(escaped(path.joined(separator: " ")))\n"
      + escaped((used + (subcommands.isEmpty ? [] : ["COMMAND ..."])).joined(separator: " ")),
  ]
  if let discussion = command.discussion, !discussion.isEmpty {
    let named = discussion.replacingOccurrences(of: "auditctl", with: path[0])
    let beginsWithHeading = named.prefix(while: { $0 != "\n" }).allSatisfy { $0.isUppercase || $0 == " " }
    parts.append((beginsWithHeading ? "" : ".SH DESCRIPTION\n") + body(named))
  }
  if !subcommands.isEmpty {
    parts.append(".SH COMMANDS")
    parts += subcommands.map {
      ".TP\n.BR \(escaped((path + [$0.commandName]).joined(separator: "-"))) (1)\n\(escaped($0.abstract ?? ""))"
    }
  }
  if !arguments.isEmpty { parts.append(".SH OPTIONS\n" + arguments.map(entry).joined(separator: "\n")) }
  if path.count > 1 { parts.append(".SH SEE ALSO\n.BR \(escaped(path.dropLast().joined(separator: "-"))) (1)") }
  return parts.joined(separator: "\n") + "\n"
}

func write(_ command: Command, path: [String], version: String, to folder: String) throws {
  let file = "\(folder)/\(path.joined(separator: "-")).1"
  try page(command, path: path, version: version).write(toFile: file, atomically: true, encoding: .utf8)
  for subcommand in command.subcommands ?? [] where subcommand.shouldDisplay ?? true && subcommand.commandName != "help"
  {
    try write(subcommand, path: path + [subcommand.commandName], version: version, to: folder)
  }
}

let arguments = CommandLine.arguments
guard arguments.count == 4 else {
  FileHandle.standardError.write(Data("usage: manual NAME VERSION FOLDER < help.json\n".utf8))
  exit(64)
}
let dump = try JSONDecoder().decode(Dump.self, from: FileHandle.standardInput.readToEnd() ?? Data())
try write(dump.command, path: [arguments[1]], version: arguments[2], to: arguments[3])
