import { expect } from 'chai';
import type { BreakingChange } from '../../scripts/contract/compare-released.ts';
import { requireAnnounced } from '../../scripts/contract/release.ts';

const change = (file: string, sentence: string): BreakingChange => ({ file, line: 7, before: null, sentence });
const changes = [
  change('openapi/paths/affiliates.yaml', 'GET /affiliates › parameter search: Was removed.'),
  change('openapi/components/schemas/KeyRequest.yaml', 'components › schemas › KeyRequest › default: Was 1 and is 2.'),
];
const release = (changelog: string | null) => (): void => requireAnnounced('2.0.0', changes, changelog);

describe('a breaking change under the version of the released contract', () => {
  it('is refused, with the way out for a version that is not published', () => {
    expect(release(null)).to.throw(
      'openapi/paths/affiliates.yaml:7 GET /affiliates › parameter search: Was removed.\n' +
        'openapi/components/schemas/KeyRequest.yaml:7 components › schemas › KeyRequest › default: Was 1 and is 2.\n' +
        'These changes break clients of 2.0.0. Make a new major version; if 2.0.0 is not published, pass `-- --unpublished`. ' +
        'openapi/released.json stays as it was.',
    );
  });

  it('is refused while the top section of the changelog does not say that the version is not published', () => {
    expect(release('# Changelog\n\n## 2.0.0\n\n## 1.0.0\n\n- 2.0.0 is not published.\n')).to.throw(
      'does not say that 2.0.0 is not published',
    );
  });

  it('is refused while the top section does not name its operation or its component', () => {
    const changelog = '## 2.0.0\n\n- 2.0.0 is not published: `GET /affiliates`, `search`.\n\n## 1.0.0\n\n- `KeyRequest` `default`\n';
    expect(release(changelog)).to.throw(
      /^openapi\/components\/schemas\/KeyRequest\.yaml:7 [^\n]*\nName each operation or component above with the field/,
    );
  });

  it('is refused while a line that names its component does not name the field', () => {
    const changelog =
      '## 2.0.0\n\n- 2.0.0 is not published: `GET /affiliates` without `search`.\n- `KeyRequest` has no `expires`.\n- `default`\n';
    expect(release(changelog)).to.throw(/^openapi\/components\/schemas\/KeyRequest\.yaml:7 [^\n]*\nName each operation or component above/);
  });

  it('is released with all of that', () => {
    expect(
      release('## 2.0.0\n\n- 2.0.0 is not published: `GET /affiliates` without `search`.\n- `default` of `KeyRequest`.\n'),
    ).not.to.throw();
  });
});
