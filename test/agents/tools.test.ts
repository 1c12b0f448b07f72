import { expect } from 'chai';
import { tools } from '../../generated/tools.ts';
import { FilledProgram } from '../contract/filled-program.ts';
import { connectAgent, eras } from '../support/agent.ts';
import { onAnyEngine } from '../support/engines.ts';
import { suiteFixture } from '../support/fixture.ts';

/** Arguments that find something in the filled program. */
const found: Record<string, object> = {
  get_affiliate: { id: 42 },
  get_affiliate_statistics: { id: 42, interval: 'month' },
  explain_commission: { id: 301, order_id: 58_213 },
  get_click_statistics: { coupon_id: 301, interval: 'month' },
};

onAnyEngine((engine) => {
  describe('the tools for agents', () => {
    const program = suiteFixture(async () => engine.keep(await FilledProgram.open(engine), async () => {}));
    after(() => program.close());
    const keyOf = async (login: string, role: 'administrator' | 'customer') =>
      (await program.service.key(await program.service.user(login, role), ['read', 'write', 'manage'])).token;

    it('take an empty text as left out, refuse objects, and name the next cursor of the feed', async () => {
      const admin = await connectAgent(program.service, await keyOf('careless', 'administrator'));
      const all = await admin.call('list_affiliates', {});
      expect(all.content.total).to.be.greaterThan(1);
      for (const given of [{ search: '' }, { page: '', per_page: '' }, { search: null }])
        expect((await admin.call('list_affiliates', given)).content, JSON.stringify(given)).to.deep.equal(all.content);
      expect((await admin.call('list_affiliates', { search: { a: 1 } })).text).to.match(/^rest_invalid_param: search must be/);
      const { content, text } = await admin.call('list_events', { after: 0, per_page: 3 });
      expect([content.next_page, text]).to.deep.equal([null, `3 of ${content.total}. Call again with after 3 for more.`]);
      const last = await admin.call('list_events', { after: content.total - 1 });
      expect(last.text).to.equal('1 of 1. There are no more.');
    });

    for (const era of eras)
      it(`are 16 for an admin and 8 for an affiliate, and every result of a read fits its schema (protocol ${era})`, async () => {
        const admin = await connectAgent(program.service, await keyOf(`agent-${era}`, 'administrator'), era);
        const listed = await admin.list();
        expect(listed.map(({ name }) => name)).to.deep.equal(Object.keys(tools));
        expect(listed).to.have.length(16);
        for (const { name, annotations } of listed.filter((tool) => tool.annotations?.readOnlyHint)) {
          const answer = await admin.call(name, found[name] as Record<string, unknown>);
          expect([answer.isError, annotations?.readOnlyHint], `${name}: ${answer.text}`).to.deep.equal([false, true]);
          expect(answer.text.length, name).to.be.below(100);
        }
        const owner = await program.service.storage.query(({ users }) => users.byId(42));
        if (!owner) throw new Error('There is no user 42.');
        const affiliate = await connectAgent(program.service, (await program.service.key(owner, ['read', 'write'])).token, era);
        expect(await affiliate.list()).to.have.length(8);
        const customer = await connectAgent(program.service, await keyOf(`customer-${era}`, 'customer'), era);
        expect((await customer.list()).map(({ name }) => name)).to.deep.equal(['who_am_i', 'list_orders', 'list_payouts']);
      });
  });
});
