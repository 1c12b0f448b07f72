import { expect } from 'chai';
import { alerts, charts, dashboard, type GridPosition } from './dashboard-files.ts';
import type { ScrapedMetric } from './exposition.ts';
import { parsePromql } from './promql.ts';
import { scrapeAfterTraffic } from './scraped-service.ts';

/** Added by Prometheus itself. */
const fromPrometheus = { metrics: ['up'], labels: ['job', 'instance'] };

describe('the alerts and the dashboard', () => {
  let scraped: Map<string, ScrapedMetric>;

  before(async function scraping() {
    this.timeout(60_000);
    scraped = await scrapeAfterTraffic();
  });

  /** The scraped labels of a metric and their values. */
  const labelsOf = (metric: string): Map<string, Set<string>> | undefined => {
    const [, base = metric, suffix = ''] = scraped.has(metric) ? [] : (/^(.*)(_bucket|_sum|_count)$/.exec(metric) ?? []);
    const family = scraped.get(base);
    if (!family || (suffix !== '' && family.type !== 'histogram')) return undefined;
    const labels = new Map<string, Set<string>>();
    for (const sample of family.samples.keys())
      if (sample.startsWith(suffix))
        for (const [, name = '', value = ''] of sample.matchAll(/(\w+)="([^"]*)"/g))
          labels.set(name, (labels.get(name) ?? new Set()).add(value));
    return labels;
  };

  /** One sentence for each metric, label or label value that the expression needs and the service does not expose. */
  function findMissing(expression: string, legendLabels: readonly string[] = []): string[] {
    const { metrics, groupedBy } = parsePromql(expression);
    const problems = [...metrics.keys()].length === 0 ? [`${expression} has no metric`] : [];
    const known = new Set(fromPrometheus.labels);
    for (const [metric, matchers] of metrics) {
      const labels = labelsOf(metric);
      if (!labels && !fromPrometheus.metrics.includes(metric)) problems.push(`${metric} is not exposed`);
      for (const name of labels?.keys() ?? []) known.add(name);
      for (const { label, operator, value } of matchers.filter((one) => !fromPrometheus.labels.includes(one.label)))
        if (!labels?.has(label)) problems.push(`${metric} has no label ${label}`);
        else if (operator === '=' && !labels.get(label)?.has(value)) problems.push(`${metric} has no ${label} ${value}`);
    }
    return [
      ...problems,
      ...[...groupedBy, ...legendLabels].filter((label) => !known.has(label)).map((label) => `no label ${label} in ${expression}`),
    ];
  }

  for (const { alert, expr } of alerts)
    it(`have an alert ${alert} whose metrics a running service exposes`, () => {
      expect(findMissing(expr)).to.deep.equal([]);
    });

  for (const { title, targets = [] } of charts)
    it(`have a panel "${title}" whose metrics a running service exposes`, () => {
      for (const { expr, legendFormat } of targets)
        expect(
          findMissing(
            expr,
            [...legendFormat.matchAll(/\{\{\s*(\w+)\s*\}\}/g)].map(([, name = '']) => name),
          ),
        ).to.deep.equal([]);
    });

  it('use every metric of the service, under alert names that are unique', () => {
    expect(new Set(alerts.map(({ alert }) => alert)).size).to.equal(alerts.length);
    const shown = new Set(
      [...charts.flatMap(({ targets = [] }) => targets), ...alerts].flatMap(({ expr }) => [...parsePromql(expr).metrics.keys()]),
    );
    const own = [...scraped].filter(([name]) => name.startsWith('affiliate_'));
    const unused = own.filter(([name, { type }]) => !shown.has(type === 'histogram' ? `${name}_bucket` : name)).map(([name]) => name);
    expect(unused).to.deep.equal([]);
  });

  it('give every alert a severity, a summary and a description that says what to do', () => {
    for (const { alert, labels, annotations: { summary = '', description = '' } = {} } of alerts) {
      expect(labels?.['severity'], alert).to.be.oneOf(['page', 'ticket']);
      expect(summary, alert).to.match(/^[A-Z].{15,}\.$/);
      expect(description, alert).to.match(/^[A-Z].{40,}\.$/);
      expect(description, alert).to.match(/\b(?:look|run|see|find|take|read|restart|bar)\b/i);
    }
  });

  it('are valid for Grafana: unique panel ids, a data source variable, no overlapping panels', () => {
    const { uid, title, schemaVersion, time, panels, templating } = dashboard;
    expect([uid, title, time.to]).to.deep.equal(['affiliate-api', 'Affiliate Program API', 'now']);
    expect(schemaVersion).to.be.at.least(36);
    expect(templating.list.find(({ type }) => type === 'datasource')).to.include({ name: 'datasource', query: 'prometheus' });
    expect(new Set(panels.map(({ id }) => id)).size).to.equal(panels.length);
    for (const { id, gridPos } of panels) {
      expect(Number.isInteger(id) && id > 0).to.equal(true);
      expect(gridPos.x >= 0 && gridPos.w > 0 && gridPos.x + gridPos.w <= 24 && gridPos.h > 0, `panel ${id}`).to.equal(true);
    }
    const overlap = (one: GridPosition, other: GridPosition): boolean =>
      one.x < other.x + other.w && other.x < one.x + one.w && one.y < other.y + other.h && other.y < one.y + one.h;
    const overlapping = panels.flatMap((one, at) => panels.slice(at + 1).filter((other) => overlap(one.gridPos, other.gridPos)));
    expect(overlapping.map(({ title: of }) => of)).to.deep.equal([]);
  });

  it('query the selected data source in every panel, with unique reference ids', () => {
    const variables = new Set(dashboard.templating.list.map(({ name }) => name));
    for (const { title, datasource, targets = [] } of charts) {
      expect(datasource, title).to.deep.equal({ type: 'prometheus', uid: '${datasource}' });
      expect(targets, title).not.to.have.length(0);
      expect(new Set(targets.map(({ refId }) => refId)).size, title).to.equal(targets.length);
      for (const { expr } of targets)
        for (const [, name = ''] of expr.matchAll(/\$(?!__)(\w+)/g)) expect(variables.has(name), `${title}: ${name}`).to.equal(true);
    }
  });
});
