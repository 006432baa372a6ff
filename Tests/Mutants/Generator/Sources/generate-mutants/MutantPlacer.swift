import SwiftSyntax

/// Walks over a file and notes each place where a rule puts a bug.
///
/// Every bug is a wrap of the text between two offsets, so that any number of them can be put in at once.
final class MutantPlacer: SyntaxVisitor {
  /// A bug: what stands around the text from `start` to `end` then.
  struct Wrap {
    var start: Int
    var end: Int
    var rule: String
    /// Before the text; `#` stands for the number of the bug.
    var prefix: String
    var suffix: String
    /// What becomes a comma then.
    var comma: Range<Int>?
  }

  private(set) var wraps: [Wrap] = []

  init() { super.init(viewMode: .sourceAccurate) }

  // MARK: - Expressions

  override func visit(_ node: InfixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
    let name = node.operator.trimmedDescription
    switch name {
    case "==", "!=", "===", "!==":
      wrap(node, "equality turned round", "mutantNot(#, ", ")")
    case "<", ">", "<=", ">=":
      wrap(node, "comparison turned round", "mutantNot(#, ", ")")
      wrapBoundary(of: node)
    case "&&":
      wrap(node.leftOperand, "operand of && left out", "mutantTrue(#, ", ")")
      wrap(node.rightOperand, "operand of && left out", "mutantTrue(#, ", ")")
    case "||":
      wrap(node.leftOperand, "operand of || left out", "mutantFalse(#, ", ")")
      wrap(node.rightOperand, "operand of || left out", "mutantFalse(#, ", ")")
    case "??":
      wrap(node.leftOperand, "value passed over for its fallback", "mutantNil(#, ", ")")
    default: break
    }
    return .visitChildren
  }

  override func visit(_ node: PrefixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
    if node.operator.text == "!" { wrap(node, "negation left out", "mutantNot(#, ", ")") }
    return .visitChildren
  }

  override func visit(_ node: TernaryExprSyntax) -> SyntaxVisitorContinueKind {
    wrap(node.condition, "choice turned round", "mutantNot(#, ", ")")
    return .visitChildren
  }

  override func visit(_ node: BooleanLiteralExprSyntax) -> SyntaxVisitorContinueKind {
    if isValue(node) { wrap(node, "constant", "mutantNot(#, ", ")") }
    return .skipChildren
  }

  override func visit(_ node: IntegerLiteralExprSyntax) -> SyntaxVisitorContinueKind {
    if isValue(node) { wrap(node, "constant", "mutantPick(#, \(node.literal.text) + 1, ", ")") }
    return .skipChildren
  }

  override func visit(_ node: StringLiteralExprSyntax) -> SyntaxVisitorContinueKind {
    if isValue(node), node.openingQuote.text == "\"", node.openingPounds == nil, node.segments.count == 1,
      case .stringSegment(let segment)? = node.segments.first, !segment.content.text.isEmpty
    {
      wrap(node, "word", "mutantPick(#, \"\(segment.content.text)~\", ", ")")
    }
    return .visitChildren
  }

  override func visit(_ node: ArrayExprSyntax) -> SyntaxVisitorContinueKind {
    if node.elements.count > 1, isValue(node) {
      for place in 0..<min(node.elements.count, 16) {
        wrap(node, "element left out", "mutantFewer(#, \(place), ", ")")
      }
    }
    return .visitChildren
  }

  override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind {
    if node.statements.count == 1, case .expr(let body)? = node.statements.first?.item,
      let call = node.parent?.as(FunctionCallExprSyntax.self)
        ?? node.parent?.parent?.parent?.as(FunctionCallExprSyntax.self),
      let name = call.calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName.text,
      ["filter", "first", "contains", "allSatisfy", "drop", "prefix", "last", "firstIndex", "lastIndex", "removeAll"]
        .contains(name)
    {
      wrap(body, "condition of a search always holds", "mutantTrue(#, ", ")")
      wrap(body, "condition of a search never holds", "mutantFalse(#, ", ")")
    }
    return .visitChildren
  }

  // MARK: - Conditions

  override func visit(_ node: ConditionElementSyntax) -> SyntaxVisitorContinueKind {
    switch node.condition {
    case .expression(let condition):
      wrap(condition, "condition always holds", "mutantTrue(#, ", ")")
      wrap(condition, "condition never holds", "mutantFalse(#, ", ")")
    case .optionalBinding(let binding):
      if let value = binding.initializer?.value {
        wrap(value, "value taken for missing", "mutantNil(#, ", ")")
      } else {
        let name = binding.pattern.trimmedDescription
        insert(after: binding, "value taken for missing", " = mutantNil(#, \(name))")
      }
    default: break
    }
    return .visitChildren
  }

  override func visit(_ node: WhereClauseSyntax) -> SyntaxVisitorContinueKind {
    wrap(node.condition, "condition always holds", "mutantTrue(#, ", ")")
    wrap(node.condition, "condition never holds", "mutantFalse(#, ", ")")
    return .visitChildren
  }

  override func visit(_ node: SwitchCaseItemSyntax) -> SyntaxVisitorContinueKind {
    guard node.whereClause == nil, let cases = node.parent?.parent?.parent?.parent?.as(SwitchCaseListSyntax.self),
      cases.contains(where: { $0.as(SwitchCaseSyntax.self)?.label.is(SwitchDefaultLabelSyntax.self) == true })
    else { return .visitChildren }
    insert(after: node.pattern, "case left out", " where !mutant(#)")
    return .visitChildren
  }

  // MARK: - Statements

  override func visit(_ node: CodeBlockItemSyntax) -> SyntaxVisitorContinueKind {
    if case .expr(let expression) = node.item, isLeftOut(expression, of: node) {
      wrap(expression, "statement left out", "if !mutant(#) { ", " }")
    }
    if case .stmt(let statement) = node.item, let returned = statement.as(ReturnStmtSyntax.self)?.expression {
      wrapResult(returned, of: Syntax(node))
    }
    if case .expr(let expression) = node.item, (node.parent?.as(CodeBlockItemListSyntax.self)?.count ?? 0) == 1,
      let block = node.parent?.parent,
      block.is(CodeBlockSyntax.self) && block.parent?.is(FunctionDeclSyntax.self) == true
        || block.is(AccessorBlockSyntax.self), !expression.is(IfExprSyntax.self), !expression.is(SwitchExprSyntax.self)
    {
      wrapResult(expression, of: Syntax(node))
    }
    return .visitChildren
  }

  /// What a function gives back: another value of its type, if the type has an obvious one.
  private func wrapResult(_ expression: ExprSyntax, of node: Syntax) {
    guard !expression.is(NilLiteralExprSyntax.self), !expression.is(BooleanLiteralExprSyntax.self) else { return }
    guard let type = resultType(of: node) else { return }
    if type.is(OptionalTypeSyntax.self) {
      wrap(expression, "nothing comes out", "mutantNil(#, ", ")")
    } else if type.is(ArrayTypeSyntax.self), !(expression.as(ArrayExprSyntax.self)?.elements.isEmpty ?? false) {
      wrap(expression, "nothing comes out", "mutantNone(#, ", ")")
    } else if type.trimmedDescription == "Bool" {
      wrap(expression, "result turned round", "mutantNot(#, ", ")")
    }
  }

  /// The declared type of what the function or property around `node` gives back; nil in a closure, or if there is none.
  private func resultType(of node: Syntax) -> TypeSyntax? {
    var place = node.parent
    while let here = place {
      if here.is(ClosureExprSyntax.self) { return nil }
      if let function = here.as(FunctionDeclSyntax.self) { return function.signature.returnClause?.type }
      if let accessor = here.as(AccessorDeclSyntax.self), accessor.accessorSpecifier.text != "get" { return nil }
      if let binding = here.as(PatternBindingSyntax.self) { return binding.typeAnnotation?.type }
      if let subscripted = here.as(SubscriptDeclSyntax.self) { return subscripted.returnClause.type }
      if here.is(InitializerDeclSyntax.self) { return nil }
      place = here.parent
    }
    return nil
  }

  /// If a statement can be missing: it is a call or an assignment, and not all that gives a body its value.
  private func isLeftOut(_ expression: ExprSyntax, of node: CodeBlockItemSyntax) -> Bool {
    var inner = expression
    while true {
      if let tried = inner.as(TryExprSyntax.self) {
        inner = tried.expression
      } else if let awaited = inner.as(AwaitExprSyntax.self) {
        inner = awaited.expression
      } else {
        break
      }
    }
    if let infix = inner.as(InfixOperatorExprSyntax.self) {
      guard
        infix.operator.is(AssignmentExprSyntax.self)
          || ["+=", "-=", "|=", "*="].contains(infix.operator.trimmedDescription)
      else { return false }
      return !infix.leftOperand.is(DiscardAssignmentExprSyntax.self) && !isInitializing(node)
    }
    guard let call = inner.as(FunctionCallExprSyntax.self) else { return false }
    let name = call.calledExpression.trimmedDescription
    if ["super.init", "self.init", "fatalError", "preconditionFailure"].contains(name) { return false }
    guard let list = node.parent?.as(CodeBlockItemListSyntax.self) else { return false }
    if list.count > 1 { return true }
    // The only statement of a closure or of a body that has a value is that value.
    guard let block = list.parent?.as(CodeBlockSyntax.self) else { return false }
    return resultType(of: Syntax(node)) == nil || block.parent?.is(IfExprSyntax.self) == true
  }

  /// If a statement is part of an initializer, which must give each member its value.
  private func isInitializing(_ node: CodeBlockItemSyntax) -> Bool {
    var place = node.parent
    while let here = place {
      if here.is(InitializerDeclSyntax.self) { return true }
      if here.is(ClosureExprSyntax.self) || here.is(FunctionDeclSyntax.self) { return false }
      place = here.parent
    }
    return false
  }

  // MARK: - What is passed over

  override func visit(_ node: AttributeSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_ node: EnumCaseElementSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_ node: IfConfigClauseSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
    // Descriptions for people, hashes and the like: nothing that a recording could show.
    ["hash", "makeIterator"].contains(node.name.text) ? .skipChildren : .visitChildren
  }

  /// If a literal stands for a value, and not in a pattern's range, a type or an operand that must be a literal.
  private func isValue(_ node: some SyntaxProtocol) -> Bool {
    var place = node.parent
    while let here = place {
      if here.is(MacroExpansionExprSyntax.self) || here.is(InlineArrayTypeSyntax.self) { return false }
      if let call = here.as(FunctionCallExprSyntax.self),
        ["fatalError", "preconditionFailure", "precondition", "assert"].contains(
          call.calledExpression.trimmedDescription)
      {
        return false
      }
      if here.is(CodeBlockItemSyntax.self) { return true }
      place = here.parent
    }
    return true
  }

  // MARK: - Notes

  private func wrap(_ node: some SyntaxProtocol, _ rule: String, _ prefix: String, _ suffix: String) {
    wraps.append(
      Wrap(
        start: node.positionAfterSkippingLeadingTrivia.utf8Offset, end: node.endPositionBeforeTrailingTrivia.utf8Offset,
        rule: rule, prefix: prefix, suffix: suffix))
  }

  /// `a < b` becomes `mutantBoundary(#, (<), (<=), a , b)`.
  private func wrapBoundary(of node: InfixOperatorExprSyntax) {
    let name = node.operator.trimmedDescription
    let other = ["<": "<=", "<=": "<", ">": ">=", ">=": ">"][name] ?? name
    wrap(node, "boundary of a comparison", "mutantBoundary(#, (\(name)), (\(other)), ", ")")
    wraps[wraps.count - 1].comma =
      node.operator.positionAfterSkippingLeadingTrivia
      .utf8Offset..<node.operator.endPositionBeforeTrailingTrivia.utf8Offset
  }

  private func insert(after node: some SyntaxProtocol, _ rule: String, _ text: String) {
    let end = node.endPositionBeforeTrailingTrivia.utf8Offset
    wraps.append(
      Wrap(
        start: node.positionAfterSkippingLeadingTrivia.utf8Offset, end: end, rule: rule, prefix: "", suffix: text))
  }
}
