import path from 'node:path';
import ts from 'typescript';
import type { Problem } from './problem.ts';
import { placeOfOperation, placeOfSchema } from './yaml-places.ts';

const contractTypes = path.resolve('generated/api.d.ts');

export const problemsOf = (diagnostics: readonly ts.Diagnostic[]): Problem[] => diagnostics.map(problemOf);

function problemOf(diagnostic: ts.Diagnostic): Problem {
  const { file, start = 0, code } = diagnostic;
  const at = file ? file.getLineAndCharacterOfPosition(start) : { line: 0, character: 0 };
  return {
    file: file ? path.relative('.', file.fileName) : 'tsconfig.build.json',
    line: at.line + 1,
    column: at.character + 1,
    sentence: sentenceOf(diagnostic.messageText),
    rule: `TS${code}`,
    causes: causesOf(diagnostic),
  };
}

/** The innermost reason: the ones around it only say that therefore something larger does not fit. */
function sentenceOf(message: string | ts.DiagnosticMessageChain): string {
  const sentence = typeof message === 'string' ? message : message.next?.[0] ? sentenceOf(message.next[0]) : message.messageText;
  // Records are written out in full, which says nothing that the name of the field does not.
  return sentence.replace(/\{ [^'"]{120,}?\}(?=['"])/g, '{ … }').replaceAll(/'(\{[^{}]{120,}?(?:\{[^{}]*\}[^{}]*?)*\})'/g, "'{ … }'");
}

/** Where the contract says so: the field that the compiler points at, and the operation whose handler it is in. */
function causesOf({ file, start, relatedInformation = [] }: ts.Diagnostic): string[] {
  const declared = relatedInformation.flatMap((related) =>
    related.file && path.resolve(related.file.fileName) === contractTypes ? placeInContract(related.file, related.start ?? 0) : [],
  );
  const operation = file && start !== undefined ? operationAround(file, start) : undefined;
  return [...new Set([...declared, ...(operation === undefined ? [] : [operation])])];
}

function placeInContract(file: ts.SourceFile, position: number): string[] {
  const [section, group, name, ...inside] = namesAround(file, position);
  const place =
    section === 'components' && group === 'schemas' && name !== undefined
      ? placeOfSchema(name, inside)
      : section === 'operations' && group !== undefined
        ? placeOfOperation(group)
        : undefined;
  return place === undefined ? [] : [place];
}

/** A handler carries the name of its operation. */
const operationAround = (file: ts.SourceFile, position: number): string | undefined =>
  namesAround(file, position)
    .map(placeOfOperation)
    .find((place) => place !== undefined);

/** The names of the declarations that this position is in, outermost first. */
function namesAround(file: ts.SourceFile, position: number): string[] {
  const names: string[] = [];
  const visit = (node: ts.Node): void => {
    if (position < node.pos || position >= node.end) return;
    const { name } = node as { name?: ts.Node };
    if (name && (ts.isIdentifier(name) || ts.isStringLiteral(name))) names.push(name.text);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return names;
}
