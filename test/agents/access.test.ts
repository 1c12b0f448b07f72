import { expect } from 'chai';
import type { Role } from '../../domain/users/user.ts';
import { operations, type Scope } from '../../generated/operations.ts';
import { tools } from '../../generated/tools.ts';
import { connectAgent } from '../support/agent.ts';
import type { ContractClient } from '../support/contract-client.ts';
import { mainlyOn } from '../support/engines.ts';
import { startService } from '../support/service.ts';

const roles: Role[] = ['customer', 'affiliate', 'manager', 'administrator'];
const scopeSets: Scope[][] = [['read'], ['write'], ['manage'], ['read', 'write'], ['read', 'write', 'manage']];

const sites: Record<string, Record<string, unknown>> = {
  'every add-on': { 'addons.management': true, 'addons.insights': true },
  'no further add-on': {},
  'the free edition': { edition: 'free' },
  'without payouts': { 'addons.payouts': false },
  'payouts and reports switched off': { 'switches.payouts': false, 'switches.get_reports_summary': false },
};

const [everySite] = Object.keys(sites);

/** PROVE_TOOLS=all: every role with every set of scopes on every site, in a minute. */
const isProof = process.env['PROVE_TOOLS'] === 'all';
const scopeSetsOf = (site: string): Scope[][] =>
  isProof ? scopeSets : site === everySite ? [['read'], ['read', 'write', 'manage']] : [['read', 'write']];
const rolesOn = (site: string): Role[] => (isProof || site === everySite ? roles : ['affiliate', 'administrator']);

/** The arguments of a call that is right in everything but, perhaps, who makes it. */
const given: Record<string, Record<string, unknown>> = {
  adjust_balance: { coupon_id: 999_999, amount: 1, note: 'A bonus' },
  request_payout: { coupon_id: 999_999 },
  change_payout_status: { id: 999_999, status: 'paid' },
  decide_application: { id: 999_999, status: 'accepted' },
  explain_commission: { id: 999_999, order_id: 999_999 },
};

type ToolEntry = [string, (typeof tools)[keyof typeof tools]];

/** The same call by HTTP. */
async function codeByHttp(client: ContractClient, [name, { operationId, isWrite }]: ToolEntry): Promise<string | null> {
  const { method, path } = operations[operationId];
  const { status, body } = await client.call(
    method.toUpperCase(),
    `${isWrite ? '/dry-run' : ''}${path.replaceAll(/\{\w+\}/g, '999999')}`,
    isWrite ? { json: given[name] } : {},
  );
  return status < 400 ? null : body.code;
}

mainlyOn('sqlite', (engine) => {
  describe('access through tools', () => {
    for (const [site, settings] of Object.entries(sites))
      it(`has the verdicts of HTTP for every tool, role and set of scopes (${site})`, async () => {
        const service = await startService(engine, { settings: { 'addons.agents': true, ...settings } });
        for (const role of rolesOn(site)) {
          const user = await service.user(role, role);
          for (const scopes of scopeSetsOf(site)) {
            const { token, headers } = await service.key(user, scopes);
            const [agent, client] = [await connectAgent(service, token), await service.client(headers)];
            const callable: string[] = (await client.get('/me')).body.operations;
            const listed = (await agent.list()).map(({ name }) => name);
            const entries = Object.entries(tools) as ToolEntry[];
            expect(listed, `${role} ${scopes}`).to.deep.equal(
              entries.filter(([, { operationId }]) => callable.includes(operationId)).map(([name]) => name),
            );
            for (const entry of entries) {
              const [name] = entry;
              const { code } = await agent.call(name, { id: 999_999, ...given[name] });
              expect(code, `${name} ${role} ${scopes}`).to.equal(await codeByHttp(client, entry));
            }
          }
        }
      });
  });
});
