import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { findPosition } from '../contract/pointer.ts';
import type { FileContents } from '../generate/stale-files.ts';
import type { Problem } from './output.ts';

type Builder = ts.SemanticDiagnosticsBuilderProgram;

/**
 * Checks the service's types again and again: only what has changed, and what depends on it. Not `tsc --watch`, which checks files on the
 * disk: the new contract must be checked before it is written to generated/.
 */
export class TypeCheck {
  readonly #configFile: string;
  readonly #buildInfoFile: string;
  readonly #sources = new Map<string, ts.SourceFile | undefined>();
  #generated = new Map<string, string>();
  #builder: Builder | undefined;
  #hasNewOrDeletedFiles = false;

  constructor(configFile: string, buildInfoFile: string) {
    this.#configFile = path.resolve(configFile);
    this.#buildInfoFile = path.resolve(buildInfoFile);
  }

  check(changed: readonly string[], generated: FileContents): Problem[] {
    for (const file of changed) this.#invalidate(path.resolve(file));
    this.#overlay(generated);
    const { fileNames, options } = this.#readConfig();
    const host = this.#createHost(options);
    this.#builder ??= ts.readBuilderProgram(options, host) as Builder | undefined;
    const builder = ts.createSemanticDiagnosticsBuilderProgram(fileNames, options, host, this.#builder);
    this.#builder = builder;
    return [builder.getSyntacticDiagnostics(), builder.getGlobalDiagnostics(), builder.getSemanticDiagnostics()]
      .flat()
      .map(convertDiagnostic);
  }

  /** Writes the build info, which makes the first check of the next start incremental too. */
  save(): void {
    this.#builder?.emit();
  }

  /** Lists the files anew each time, because some may have been created or deleted. */
  #readConfig(): ts.ParsedCommandLine {
    const { config } = ts.readConfigFile(this.#configFile, ts.sys.readFile);
    const overrides: ts.CompilerOptions = { noEmit: true, incremental: true, tsBuildInfoFile: this.#buildInfoFile };
    const parsed = ts.parseJsonConfigFileContent(config, ts.sys, path.dirname(this.#configFile), overrides, this.#configFile);
    return { ...parsed, options: { ...parsed.options, ...overrides } };
  }

  #createHost(options: ts.CompilerOptions): ts.CompilerHost {
    const host = ts.createIncrementalCompilerHost(options);
    const parse = host.getSourceFile.bind(host);
    const read = host.readFile.bind(host);
    host.readFile = (file) => this.#generated.get(path.resolve(file)) ?? read(file);
    host.getSourceFile = (file, ...rest) => {
      const absolute = path.resolve(file);
      if (!this.#sources.has(absolute)) this.#sources.set(absolute, parse(file, ...rest));
      return this.#sources.get(absolute);
    };
    // A new file may be one that an import did not find before.
    const isInvalid = this.#hasNewOrDeletedFiles;
    this.#hasNewOrDeletedFiles = false;
    host.hasInvalidatedResolutions = () => isInvalid;
    return host;
  }

  #invalidate(file: string): void {
    this.#hasNewOrDeletedFiles ||= this.#sources.get(file) === undefined || !ts.sys.fileExists(file);
    this.#sources.delete(file);
  }

  #overlay(generated: FileContents): void {
    const sources = Object.entries(generated).filter(([file]) => file.endsWith('.ts'));
    const stripped = new Map(sources.map(([file, text]) => [path.resolve(file), removeDescriptions(text)]));
    for (const [file, text] of stripped) if (this.#generated.get(file) !== text) this.#sources.delete(file);
    this.#generated = stripped;
  }
}

/** A change of descriptions alone is then no change to the compiler, which would otherwise check every file that uses the contract. */
const removeDescriptions = (text: string): string =>
  text.replace(/^[ \t]*\/\*\*[\s\S]*?\*\/\n/gm, '').replace(/\b(summary|description): '(?:[^'\\]|\\.)*'/g, "$1: ''");

function convertDiagnostic(diagnostic: ts.Diagnostic): Problem {
  const { file, start = 0, code } = diagnostic;
  const position = file ? file.getLineAndCharacterOfPosition(start) : { line: 0, character: 0 };
  return {
    file: file ? path.relative('.', file.fileName) : 'tsconfig.build.json',
    line: position.line + 1,
    column: position.character + 1,
    sentence: formatMessage(diagnostic.messageText),
    rule: `TS${code}`,
    causes: findCauses(diagnostic),
  };
}

/** The innermost reason: those around it only say that something larger does not fit as a result. */
function formatMessage(message: string | ts.DiagnosticMessageChain): string {
  const sentence = typeof message === 'string' ? message : message.next?.[0] ? formatMessage(message.next[0]) : message.messageText;
  // Long record types are abbreviated: the name of the field is what helps.
  return sentence.replace(/\{ [^'"]{120,}?\}(?=['"])/g, '{ … }').replaceAll(/'(\{[^{}]{120,}?(?:\{[^{}]*\}[^{}]*?)*\})'/g, "'{ … }'");
}

const contractTypes = path.resolve('generated/api.d.ts');

/** Places in the contract: of the field that the compiler points at, and of the operation whose handler has the mistake. */
function findCauses({ file, start, relatedInformation = [] }: ts.Diagnostic): string[] {
  const declared = relatedInformation.map((related) =>
    related.file && path.resolve(related.file.fileName) === contractTypes ? findDeclaration(related.file, related.start ?? 0) : undefined,
  );
  // A handler has the name of its operation.
  const enclosing = file && start !== undefined ? namesAround(file, start).map(findOperation) : [];
  return [...new Set([...declared, enclosing.find((place) => place !== undefined)])].filter((place) => place !== undefined);
}

function findDeclaration(file: ts.SourceFile, position: number): string | undefined {
  const [section, group, name, ...fields] = namesAround(file, position);
  if (section === 'components' && group === 'schemas' && name !== undefined) return findSchema(name, fields);
  return section === 'operations' && group !== undefined ? findOperation(group) : undefined;
}

/** The names of the declarations around a position, outermost first. */
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

function findSchema(name: string, fields: readonly string[]): string | undefined {
  const file = `openapi/components/schemas/${name}.yaml`;
  if (!existsSync(file)) return undefined;
  const { line, column } = findPosition(
    readFileSync(file, 'utf8'),
    fields.flatMap((field) => ['properties', field]),
  );
  return `${file}:${line}:${column}`;
}

function findOperation(operationId: string): string | undefined {
  for (const name of readdirSync('openapi/paths').filter((entry) => entry.endsWith('.yaml'))) {
    const lines = readFileSync(`openapi/paths/${name}`, 'utf8').split('\n');
    const line = lines.findIndex((text) => text.trim() === `operationId: ${operationId}`);
    if (line >= 0) return `openapi/paths/${name}:${line + 1}:${(lines[line] ?? '').indexOf('operationId') + 1}`;
  }
  return undefined;
}
