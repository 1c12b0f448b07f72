import { expect } from 'chai';
import { build } from 'esbuild';
import { sourceFolders } from '../../scripts/shared/sources.ts';

describe('the list of source folders in tsconfig.build.json', () => {
  it('names each folder that the affiliate command is compiled from, and no other', async () => {
    const { metafile } = await build({
      entryPoints: ['cli/affiliate.ts'],
      bundle: true,
      packages: 'external',
      platform: 'node',
      format: 'esm',
      write: false,
      metafile: true,
    });
    const files = Object.keys(metafile.inputs);
    const folderOf = (file: string): string => sourceFolders.find((folder) => file.startsWith(`${folder}/`)) ?? file;
    expect([...new Set(files.map(folderOf))].sort()).to.deep.equal([...sourceFolders].sort());
  });
});
