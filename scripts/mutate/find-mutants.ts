import ts from 'typescript';

/** One small change of a file that a test should notice. */
export interface Mutant {
  /** Index in the list of its file. */
  id: number;
  file: string;
  line: number;
  /** The replaced text, as positions in the file. */
  start: number;
  end: number;
  replacement: string;
  isStatement: boolean;
}

const Kind = ts.SyntaxKind;

/** Every mutant of a file. Sentences are not mutated: only strings without spaces, which are codes, keys and names. */
export function findMutants(file: string, source: string): Mutant[] {
  const parsed = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true, ts.ScriptKind.TS);
  const mutants: Mutant[] = [];
  const add = (node: ts.Node, replacement: string, isStatement: boolean): void => {
    const [start, end] = [node.getStart(), node.getEnd()];
    const line = parsed.getLineAndCharacterOfPosition(start).line + 1;
    if (replacement !== node.getText()) mutants.push({ id: mutants.length, file, line, start, end, replacement, isStatement });
  };
  const visit = (node: ts.Node): void => {
    if (isTypeOrImport(node)) return;
    if (isRemovable(node)) add(node, '', true);
    for (const replacement of replacementsOf(node)) add(node, replacement, false);
    if (ts.isPropertyAssignment(node) && !ts.isComputedPropertyName(node.name)) visit(node.initializer);
    else ts.forEachChild(node, visit);
  };
  ts.forEachChild(parsed, visit);
  return mutants;
}

const isTypeOrImport = (node: ts.Node): boolean =>
  ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isImportDeclaration(node);

/** A throw behind an `if` is covered by the mutants of its condition. */
const isRemovable = (node: ts.Node): boolean =>
  ts.isExpressionStatement(node) || (ts.isThrowStatement(node) && !ts.isIfStatement(node.parent));

const isCondition = (node: ts.Node): boolean =>
  (ts.isIfStatement(node.parent) && node.parent.expression === node) ||
  (ts.isConditionalExpression(node.parent) && node.parent.condition === node);

/** A default is tried as a whole: the mutants of `??` leave out either side. */
const isDefault = ({ parent }: ts.Node): boolean =>
  ts.isBindingElement(parent) ||
  ts.isParameter(parent) ||
  (ts.isBinaryExpression(parent) && parent.operatorToken.kind === Kind.QuestionQuestionToken);

function replacementsOf(node: ts.Node): string[] {
  const always = isCondition(node) ? ['true', 'false'] : [];
  if (ts.isBinaryExpression(node)) return [...always, ...replaceBinary(node)];
  if (ts.isCallExpression(node)) return [...always, ...replaceCall(node)];
  if (always.length > 0) return always;
  if (ts.isPrefixUnaryExpression(node)) return signs.has(node.operator) ? [node.operand.getText()] : [];
  if (ts.isArrayLiteralExpression(node) && node.elements.length > 0 && !isDefault(node)) return ['[]'];
  return replaceLiteral(node);
}

const signs = new Set<ts.SyntaxKind>([Kind.ExclamationToken, Kind.MinusToken]);
const logicalOperators = new Set([Kind.AmpersandAmpersandToken, Kind.BarBarToken, Kind.QuestionQuestionToken]);

/** Of two, the first moves the boundary and the second is the opposite. */
const operatorReplacements = new Map<ts.SyntaxKind, readonly string[]>([
  [Kind.LessThanToken, ['<=', '>=']],
  [Kind.LessThanEqualsToken, ['<', '>']],
  [Kind.GreaterThanToken, ['>=', '<=']],
  [Kind.GreaterThanEqualsToken, ['>', '<']],
  [Kind.EqualsEqualsEqualsToken, ['!==']],
  [Kind.ExclamationEqualsEqualsToken, ['===']],
  [Kind.PlusToken, ['-']],
  [Kind.MinusToken, ['+']],
  [Kind.AsteriskToken, ['/']],
  [Kind.SlashToken, ['*']],
  [Kind.PercentToken, ['*']],
  [Kind.AsteriskAsteriskToken, ['*']],
  [Kind.PlusEqualsToken, ['-=']],
  [Kind.MinusEqualsToken, ['+=']],
  [Kind.GreaterThanGreaterThanToken, ['<<']],
  [Kind.LessThanLessThanToken, ['>>']],
  [Kind.BarToken, ['&']],
]);

const isText = (node: ts.Node): node is ts.StringLiteralLike | ts.TemplateExpression =>
  ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);

function replaceBinary(node: ts.BinaryExpression): string[] {
  const { left, operatorToken, right } = node;
  const isConcatenation = operatorToken.kind === Kind.PlusToken && (isText(left) || isText(right));
  // Each side alone: a guard of two parts needs a test for each.
  if (logicalOperators.has(operatorToken.kind) || isConcatenation) return [left.getText(), right.getText()];
  const operators = operatorReplacements.get(operatorToken.kind) ?? [];
  // A condition is also tried as true and as false, so its opposite adds nothing.
  const used = isCondition(node) ? operators.slice(0, operators.length - 1) : operators;
  return used.map((operator) => `${left.getText()} ${operator} ${right.getText()}`);
}

const methodReplacements = new Map([
  ['some', 'every'],
  ['every', 'some'],
  ['startsWith', 'endsWith'],
  ['endsWith', 'startsWith'],
  ['max', 'min'],
  ['min', 'max'],
  ['round', 'floor'],
  ['floor', 'ceil'],
]);

const removableMethods = new Set('filter trim toLowerCase toReversed slice replaceAll replace normalize subarray flat'.split(' '));

function replaceCall(node: ts.CallExpression): string[] {
  const { expression } = node;
  if (!ts.isPropertyAccessExpression(expression) || (node.flags & ts.NodeFlags.OptionalChain) !== 0) return [];
  const receiver = expression.expression.getText();
  const method = methodReplacements.get(expression.name.text);
  if (method !== undefined) return [`${receiver}.${method}${node.getText().slice(expression.getText().length)}`];
  return removableMethods.has(expression.name.text) ? [receiver] : [];
}

function replaceLiteral(node: ts.Node): string[] {
  if (node.kind === Kind.TrueKeyword) return ['false'];
  if (node.kind === Kind.FalseKeyword) return ['true'];
  if (ts.isRegularExpressionLiteral(node)) return removeAnchors(node.text);
  if (isDefault(node)) return [];
  if (ts.isNumericLiteral(node)) return [String(Number(node.text) + 1)];
  if (ts.isBigIntLiteral(node)) return [`${BigInt(node.text.slice(0, -1)) + 1n}n`];
  return isText(node) ? replaceText(node) : [];
}

const equalities = [Kind.EqualsEqualsEqualsToken, Kind.ExclamationEqualsEqualsToken];

function replaceText(node: ts.Node): string[] {
  const isCompared = ts.isBinaryExpression(node.parent) && equalities.includes(node.parent.operatorToken.kind);
  const content = node.getText().slice(1, -1);
  if (isCompared || ts.isCaseClause(node.parent) || /\s/.test(content)) return [];
  return [content === '' ? "'other'" : "''"];
}

function removeAnchors(text: string): string[] {
  const [, start = '', pattern = '', end = '', flags = ''] = /^\/(\^?)(.*?)(\$?)(\/[a-z]*)$/s.exec(text) ?? [];
  return [...(start ? [`/${pattern}${end}${flags}`] : []), ...(end ? [`/${start}${pattern}${flags}`] : [])];
}
