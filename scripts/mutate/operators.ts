import ts from 'typescript';

const Kind = ts.SyntaxKind;

/** Its own text behind what it stands beside: comparisons by their boundary and their opposite, sums and products by each other. */
const otherOperators = new Map<ts.SyntaxKind, readonly string[]>([
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

const logical = new Set([Kind.AmpersandAmpersandToken, Kind.BarBarToken, Kind.QuestionQuestionToken]);

/** Where true and false are tried anyway, the opposite says nothing new. */
export const isCondition = (node: ts.Node): boolean =>
  (ts.isIfStatement(node.parent) && node.parent.expression === node) ||
  (ts.isConditionalExpression(node.parent) && node.parent.condition === node);

const isText = (node: ts.Node): boolean => ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);

export function otherBinary(node: ts.BinaryExpression): string[] {
  const { left, operatorToken, right } = node;
  // Each side alone: a guard of two parts needs a test for each.
  if (logical.has(operatorToken.kind)) return [left.getText(), right.getText()];
  if (operatorToken.kind === Kind.PlusToken && (isText(left) || isText(right))) return [left.getText(), right.getText()];
  const others = otherOperators.get(operatorToken.kind) ?? [];
  const isBoundary = others.length === 2;
  const kept = isCondition(node) ? others.slice(0, isBoundary ? 1 : 0) : others;
  return kept.map((operator) => `${left.getText()} ${operator} ${right.getText()}`);
}

const otherMethods = new Map([
  ['some', 'every'],
  ['every', 'some'],
  ['startsWith', 'endsWith'],
  ['endsWith', 'startsWith'],
  ['max', 'min'],
  ['min', 'max'],
  ['round', 'floor'],
  ['floor', 'ceil'],
]);

/** What a text or a list can be had without. */
const removable = new Set([
  'filter',
  'trim',
  'toLowerCase',
  'toReversed',
  'slice',
  'replaceAll',
  'replace',
  'normalize',
  'subarray',
  'flat',
]);

export function otherCall(node: ts.CallExpression): string[] {
  const { expression } = node;
  if (!ts.isPropertyAccessExpression(expression) || (node.flags & ts.NodeFlags.OptionalChain) !== 0) return [];
  const receiver = expression.expression.getText();
  const other = otherMethods.get(expression.name.text);
  if (other !== undefined) return [`${receiver}.${other}${node.getText().slice(expression.getText().length)}`];
  return removable.has(expression.name.text) ? [receiver] : [];
}
