import { contractRule } from '../contract.mjs';

export default contractRule(({ root }, report) => {
  const version = String(root.get('info').get('version').value);
  const namespace = `/v${version.split('.')[0]}`;
  for (const server of root.get('servers').children) {
    const url = server.get('url');
    if (String(url.value).endsWith(namespace)) continue;
    report(url, `The server url \`${url.value}\` is not of version ${version}. End it in \`${namespace}\`, or correct \`info.version\`.`);
  }
});
