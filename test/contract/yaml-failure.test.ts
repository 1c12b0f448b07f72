import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { findYamlFailures, formatYamlFailure } from '../../scripts/contract/yaml-failure.ts';
import { temporaryFolder } from '../support/postgres.ts';

describe('the files of the contract', () => {
  let folder: string;
  beforeEach(() => {
    folder = temporaryFolder('files-');
    mkdirSync(path.join(folder, 'schemas'));
    mkdirSync(path.join(folder, 'old'));
    write('root.yaml', 'a: { $ref: schemas/A.yaml }\nb:\n  - $ref: "./schemas/B.yaml#/x"\nc: { $ref: "#/a" }\n');
    write('schemas/A.yaml', 'example: { First name: null, "the {id}": 1 }\n');
    write('schemas/B.yaml', 'x: 1\n');
  });

  const write = (file: string, text: string): void => writeFileSync(path.join(folder, file), text);
  const failures = (): string[] => findYamlFailures(folder).map((failure) => formatYamlFailure(failure).replaceAll(`${folder}/`, ''));

  it('are as they should be, also with spaces in the keys of an example', () => {
    expect(failures()).to.deep.equal([]);
  });

  it('report each reference to a deleted file with file, line and column', () => {
    rmSync(path.join(folder, 'schemas/A.yaml'));
    rmSync(path.join(folder, 'schemas/B.yaml'));
    expect(failures()).to.deep.equal([
      'root.yaml:1:12  There is no file schemas/A.yaml. Restore the file, or remove the reference.',
      'root.yaml:3:12  There is no file schemas/B.yaml. Restore the file, or remove the reference.',
    ]);
  });

  it('report where a file was moved', () => {
    rmSync(path.join(folder, 'schemas/B.yaml'));
    write('old/B.yaml', 'x: 1\n');
    expect(failures()).to.deep.equal(['root.yaml:3:12  There is no file schemas/B.yaml. There is old/B.yaml: refer to that.']);
  });

  it('report an empty file, and one that is not named .yaml', () => {
    write('schemas/C.yml', 'x: 1\n');
    expect(failures()).to.deep.equal(['schemas/C.yml:1:1  The tools read .yaml alone. Name it C.yaml.']);
    write('schemas/A.yaml', '');
    expect(failures()).to.deep.equal([
      'schemas/A.yaml:1:1  The file is empty. Write what it is named after, or delete it and the references to it.',
    ]);
  });
});
