import { expect } from 'chai';
import { onAnyEngine } from '../support/engines.ts';
import { servedByDefault } from '../support/served-by-default.ts';
import { startService, type TestService } from '../support/service.ts';

const operationIds = (document: { paths: Record<string, Record<string, { operationId?: string }>> }): string[] =>
  Object.values(document.paths)
    .flatMap((item) => Object.values(item))
    .flatMap(({ operationId }) => operationId ?? []);

onAnyEngine((engine) => {
  describe('GET /openapi', () => {
    let service: TestService;
    const start = async (siteModule = {}) => {
      service = await startService(engine, { siteModule });
      return service.client();
    };

    it('describes exactly the served operations, under the path of the API or at service.url', async () => {
      const { body } = await (await start()).get('/openapi');
      expect(operationIds(body)).to.have.members(servedByDefault);
      expect(body.servers[0].url).to.equal('/api/v2');
      expect(Object.keys(body.components.securitySchemes)).to.have.members(['bearerApiKey', 'basicAppPassword']);
      await service.settings.set('service.url', 'https://partners.example');
      expect((await (await service.client()).get('/openapi')).body.servers[0].url).to.equal('https://partners.example/api/v2');
    });

    it('drops a switched-off operation at once, as does the route', async () => {
      const client = await start();
      await service.settings.set('switches.get_me', false);
      expect(operationIds((await client.get('/openapi')).body)).not.to.include('get_me');
      expect((await client.get('/me')).body.code).to.equal('rest_no_route');
    });

    it('is for admins only when the setting says so', async () => {
      const client = await start();
      await service.settings.set('openapi_public', false);
      expect((await client.get('/openapi')).status).to.equal(401);
      const as = async (role: 'customer' | 'administrator') => service.clientOf(await service.user(role, role));
      expect((await (await as('customer')).get('/openapi')).body.code).to.equal('svc_api_forbidden');
      expect((await (await as('administrator')).get('/openapi')).status).to.equal(200);
    });

    it("is amended by the site's module, and served unchanged when the module fails", async () => {
      const amend = (document: { info: object }) => ({ ...document, info: { ...document.info, 'x-shop': 'Fjell' } });
      expect((await (await start({ amendOpenapi: amend })).get('/openapi')).body.info['x-shop']).to.equal('Fjell');
      const failing = await start({
        amendOpenapi: () => {
          throw new Error('a defect of the site');
        },
      });
      const { status, body } = await failing.get('/openapi');
      expect([status, body.info.title]).to.deep.equal([200, 'Affiliate Program API']);
      expect(service.log.join('')).to.include('a defect of the site');
    });
  });
});
