import path from 'node:path';
import ts from 'typescript';
import { rooms } from './rooms.ts';

type Builder = ts.SemanticDiagnosticsBuilderProgram;

/** The service's types, checked again and again: only what has changed, and what depends on that. */
export class TypeCheck {
  readonly #configuration: string;
  readonly #memory: string;
  readonly #sources = new Map<string, ts.SourceFile | undefined>();
  #generated = new Map<string, string>();
  #last: Builder | undefined;
  #isRebuilt = false;

  constructor(configuration: string, memory: string) {
    this.#configuration = path.resolve(configuration);
    this.#memory = path.resolve(memory);
  }

  check(changed: readonly string[], generated: Readonly<Record<string, string>>): readonly ts.Diagnostic[] {
    for (const file of changed) this.#forget(path.resolve(file));
    this.#overlay(generated);
    const { fileNames, options } = this.#read();
    const host = this.#host(options);
    this.#last ??= ts.readBuilderProgram(options, host) as Builder | undefined;
    this.#last = ts.createSemanticDiagnosticsBuilderProgram(fileNames, options, host, this.#last);
    return [...this.#last.getSyntacticDiagnostics(), ...this.#last.getGlobalDiagnostics(), ...this.#last.getSemanticDiagnostics()];
  }

  keep(): void {
    this.#last?.emit();
  }

  /** Roots are looked up anew each time: a file may have come or gone. */
  #read(): ts.ParsedCommandLine {
    const { config } = ts.readConfigFile(this.#configuration, ts.sys.readFile);
    const mine: ts.CompilerOptions = { noEmit: true, incremental: true, tsBuildInfoFile: this.#memory };
    const parsed = ts.parseJsonConfigFileContent(config, ts.sys, path.dirname(this.#configuration), mine, this.#configuration);
    const fileNames = parsed.fileNames.filter((file) => rooms.some((room) => path.relative('.', file).startsWith(`${room}${path.sep}`)));
    return { ...parsed, fileNames, options: { ...parsed.options, ...mine } };
  }

  #host(options: ts.CompilerOptions): ts.CompilerHost {
    const host = ts.createIncrementalCompilerHost(options);
    const parse = host.getSourceFile.bind(host);
    const read = host.readFile.bind(host);
    host.readFile = (file) => this.#generated.get(path.resolve(file)) ?? read(file);
    host.getSourceFile = (file, ...rest) => {
      const whole = path.resolve(file);
      if (!this.#sources.has(whole)) this.#sources.set(whole, parse(file, ...rest));
      return this.#sources.get(whole);
    };
    const isRebuilt = this.#isRebuilt;
    this.#isRebuilt = false;
    // A file that came may be what an import looked for in vain.
    host.hasInvalidatedResolutions = () => isRebuilt;
    return host;
  }

  #forget(file: string): void {
    this.#isRebuilt ||= this.#sources.get(file) === undefined || !ts.sys.fileExists(file);
    this.#sources.delete(file);
  }

  #overlay(generated: Readonly<Record<string, string>>): void {
    const files = Object.entries(generated).filter(([file]) => file.endsWith('.ts'));
    const bare = new Map(files.map(([file, text]) => [path.resolve(file), withoutProse(text)]));
    for (const [file, text] of bare) if (this.#generated.get(file) !== text) this.#sources.delete(file);
    this.#generated = bare;
  }
}

/**
 * Descriptions are no types. Without them the compiler sees that a change of words changed nothing, and has nothing to do: it would look
 * at every file that uses the contract otherwise.
 */
const withoutProse = (text: string): string =>
  text.replace(/^[ \t]*\/\*\*[\s\S]*?\*\/\n/gm, '').replace(/\b(summary|description): '(?:[^'\\]|\\.)*'/g, "$1: ''");
