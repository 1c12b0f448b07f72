import ts from 'typescript';
import type { Mutant } from './mutant.ts';
import { isCondition, otherBinary, otherCall } from './operators.ts';

/** Every small change that is tried in a file. Sentences for people are left alone: only codes, keys and names are taken away. */
export function mutantsOf(file: string, source: string): Mutant[] {
  const parsed = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true, ts.ScriptKind.TS);
  const mutants: Mutant[] = [];
  const add = (node: ts.Node, to: string, isStatement: boolean): void => {
    const [start, end] = [node.getStart(), node.getEnd()];
    const line = parsed.getLineAndCharacterOfPosition(start).line + 1;
    if (to !== node.getText()) mutants.push({ id: mutants.length, file, line, start, end, to, isStatement });
  };
  const visit = (node: ts.Node): void => {
    if (isWithoutEffect(node)) return;
    if (isRemovable(node)) add(node, '', true);
    for (const to of othersOf(node)) add(node, to, false);
    if (ts.isPropertyAssignment(node) && !ts.isComputedPropertyName(node.name)) visit(node.initializer);
    else ts.forEachChild(node, visit);
  };
  ts.forEachChild(parsed, visit);
  return mutants;
}

const isWithoutEffect = (node: ts.Node): boolean =>
  ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isImportDeclaration(node);

/** A throw behind an `if` goes with its condition. */
const isRemovable = (node: ts.Node): boolean =>
  ts.isExpressionStatement(node) || (ts.isThrowStatement(node) && !ts.isIfStatement(node.parent));

function othersOf(node: ts.Node): string[] {
  if (ts.isBinaryExpression(node)) return [...conditions(node), ...otherBinary(node)];
  if (ts.isCallExpression(node)) return [...conditions(node), ...otherCall(node)];
  if (ts.isPrefixUnaryExpression(node)) return [...conditions(node), ...otherUnary(node)];
  if (isCondition(node)) return conditions(node);
  if (ts.isArrayLiteralExpression(node) && node.elements.length > 0 && !isFiller(node)) return ['[]'];
  return otherLiteral(node);
}

const conditions = (node: ts.Node): string[] => (isCondition(node) ? ['true', 'false'] : []);

const signs = [ts.SyntaxKind.ExclamationToken, ts.SyntaxKind.MinusToken];

const otherUnary = (node: ts.PrefixUnaryExpression): string[] =>
  signs.includes(node.operator) && !isCondition(node) ? [node.operand.getText()] : [];

function otherLiteral(node: ts.Node): string[] {
  if (node.kind === ts.SyntaxKind.TrueKeyword) return ['false'];
  if (node.kind === ts.SyntaxKind.FalseKeyword) return ['true'];
  if (ts.isRegularExpressionLiteral(node)) return withoutAnchors(node.text);
  if (isFiller(node)) return [];
  if (ts.isNumericLiteral(node)) return [String(Number(node.text) + 1)];
  if (ts.isBigIntLiteral(node)) return [`${BigInt(node.text.slice(0, -1)) + 1n}n`];
  if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) return otherText(node);
  return [];
}

/** What stands in where something is missing is tried as a whole, by leaving out either side of `??`. */
const isFiller = ({ parent }: ts.Node): boolean =>
  ts.isBindingElement(parent) ||
  ts.isParameter(parent) ||
  (ts.isBinaryExpression(parent) && parent.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken);

const equalities = [ts.SyntaxKind.EqualsEqualsEqualsToken, ts.SyntaxKind.ExclamationEqualsEqualsToken];

function otherText(node: ts.Node): string[] {
  const isCompared = ts.isBinaryExpression(node.parent) && equalities.includes(node.parent.operatorToken.kind);
  const text = node.getText().slice(1, -1);
  if (isCompared || ts.isCaseClause(node.parent) || /\s/.test(text)) return [];
  return [text === '' ? "'other'" : "''"];
}

function withoutAnchors(text: string): string[] {
  const end = text.lastIndexOf('/');
  const [pattern, flags] = [text.slice(1, end), text.slice(end)];
  const open = pattern.startsWith('^') ? [`/${pattern.slice(1)}${flags}`] : [];
  return pattern.endsWith('$') ? [...open, `/${pattern.slice(0, -1)}${flags}`] : open;
}
