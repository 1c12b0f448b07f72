import { expect } from 'chai';
import { eventKinds } from '../../generated/events.ts';
import { type AddOn, addOns, operations } from '../../generated/operations.ts';
import { isJsonObject, type OpenApiDocument } from '../../site/document/openapi.ts';
import { isAddOnActive, listEventKinds } from '../../site/served.ts';
import { bundle, documentOf, idsIn, operationIds, settingsWith } from './sites.ts';

/** What a text says about a feature. A new add-on does not compile without its words. */
const featureWords: Record<AddOn, RegExp> = {
  payouts: /payout/i,
  webhooks: /webhook|delivery/i,
  multi_level: /multi.?level|upline|mla/i,
  store: /add-on `store`|\/store\//,
  insights: /insight|explanation|registration.?preview|\/preview/i,
  management: /in the browser/i,
  risk: /risk|signal/i,
  agents: /\bagents?\b|\/dry-run|\bmcp\b/i,
};

/** Names that every site has: event kinds, fields of records, the pool of the ledger, and the record of payout details that an import takes. */
const exemptNames = new RegExp(
  [
    ...eventKinds.toSorted((one, other) => other.length - one.length),
    'pending_payout_commission|PendingPayoutCommission|pending_payout|payout_method|PayoutMethod|mla_parents|multi_level_commission',
    // What shops call their own.
    'Settings, Advanced, Webhooks|Add one webhook|Delivery URL',
    // The objects of these kinds.
    '^(payout|webhook|risk_signal)$|^payout_id$|refund_after_payout',
    '(post_store_|store-|/store/)?(payout[-_ ]details|PayoutDetails)(Record|-outcomes)?',
  ].join('|'),
  'gi',
);

const names = Object.keys(addOns) as AddOn[];
const isProof = process.env['PROVE_DOCUMENTS'] === 'all';

/** In `npm test` none, one, all but one and all of the add-ons. PROVE_DOCUMENTS=all: every set. */
const isTried = (active: number, available: number): boolean => isProof || active <= 1 || active >= available - 1;

/** The settings of sites: an add-on of the pro edition is never active in the free one. */
const sites = (['pro', 'free'] as const).flatMap((edition) => {
  const available = names.filter((name) => edition === 'pro' || !('edition' in addOns[name]));
  return Array.from({ length: 2 ** available.length }, (_, bits) => available.filter((_name, at) => (bits & (2 ** at)) !== 0))
    .filter((active) => isTried(active.length, available.length))
    .map((active) => Object.fromEntries([['edition', edition], ...available.map((name) => [`addons.${name}`, active.includes(name)])]));
});

/** All texts and names in the document, except for events of the feed in examples: their kinds are exempt. */
function* textsIn(part: unknown): Generator<string> {
  if (typeof part === 'string') yield part;
  if (typeof part !== 'object' || part === null) return;
  if (isJsonObject(part) && eventKinds.some((kind) => kind === part['event'])) return;
  if (!Array.isArray(part)) for (const name of Object.keys(part)) yield name;
  for (const inner of Object.values(part)) yield* textsIn(inner);
}

describe('the document of each edition and set of add-ons', () => {
  let documents: [Record<string, unknown>, OpenApiDocument][];
  before(() => {
    documents = sites.map((values) => [values, documentOf({ values })]);
  });

  it('names no absent operation, tag or feature', () => {
    const found = new Set<string>();
    for (const [values, document] of documents) {
      const settings = settingsWith(values);
      const absent = operationIds.filter((id) => !idsIn(document).includes(id)).map((id) => ({ id, ...operations[id] }));
      const calls = absent.map(({ method, path }) => `\`${method.toUpperCase()} ${path}\``);
      const tags = (bundle().tags ?? []).map(({ name }) => name).filter((name) => !document.tags?.some((tag) => tag.name === name));
      const wholeWords = new RegExp(`\\b(${absent.map(({ id }) => id).join('|')})\\b`);
      const inactive = names.filter((name) => !isAddOnActive(name, settings));
      for (const text of textsIn(document)) {
        const namesOperation = (absent.length > 0 && wholeWords.test(text)) || calls.some((call) => text.includes(call));
        // "store" is the shop, too: an account of the ledger and a source of rates.
        const namesTag = tags.some((tag) => tag === text && tag !== 'store');
        const words = text.replace(exemptNames, '');
        if (namesOperation || namesTag || inactive.some((name) => featureWords[name].test(words))) found.add(text);
      }
    }
    expect([...found]).to.deep.equal([]);
  });

  it('lists exactly the kinds that the feed returns', () => {
    for (const [values, document] of documents) {
      const schema = document.components?.['schemas']?.['EventKind'] as { enum: string[] } | undefined;
      expect(schema?.enum).to.deep.equal(listEventKinds(settingsWith(values)));
      expect(schema?.enum.includes('payout_paid'), JSON.stringify(values)).to.equal(values['edition'] === 'pro');
    }
  });
});
