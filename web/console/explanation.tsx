import type { ComponentChildren } from 'preact';
import { Badge } from './components.tsx';
import { formatAmountsIn, formatDateTime, formatMoney } from './format.ts';
import { Loaded, useLoad } from './load.tsx';
import type { Explanation } from './records.ts';
import { api } from './session.ts';
import type { Explained } from './words.ts';

const agreement = (agrees: boolean): Explained =>
  agrees
    ? { label: 'Checked', tone: 'good', meaning: 'Computed again, it is the same.' }
    : { label: 'Differs', tone: 'bad', meaning: 'Computed again, it is another amount. Report this to the store.' };

/** How the commission of an order came about, in the sentences of the service. */
export function ExplanationPanel({ couponId, orderId }: { couponId: number; orderId: number }) {
  const explanation = useLoad(() => api.coupons.explanation(couponId, orderId), [couponId, orderId]);
  return (
    <section class="explanation" aria-label={`Commission of order ${orderId}`}>
      <Loaded from={explanation}>{(record) => <Parts of={record} />}</Loaded>
    </section>
  );
}

const Parts = ({ of: { commission, recomputed, agrees, inputs, steps, attribution, shares, movements } }: { of: Explanation }) => (
  <>
    <p>
      The commission is <b>{formatMoney(commission)}</b>. {!agrees && <>Computed again it is {formatMoney(recomputed)}. </>}
      <Badge of={agreement(agrees)} />
    </p>
    <Part title="How it is computed">
      <ol>
        {steps.map(({ step, text }) => (
          <Line key={step} text={text} />
        ))}
      </ol>
    </Part>
    <Part title="Why this coupon">
      <p dir="auto">{attribution.text}</p>
      <ul>
        {attribution.candidates.map(({ text, won }, index) => (
          <Line key={index} text={text} end={won ? 'credited' : 'not credited'} />
        ))}
      </ul>
    </Part>
    {shares.length > 0 && (
      <Part title="Shares of the affiliates above">
        <ul>
          {shares.map(({ tier, text, agrees }) => (
            <Line key={tier} text={text} end={<Badge of={agreement(agrees)} />} />
          ))}
        </ul>
      </Part>
    )}
    <details>
      <summary>Rates and movements of money</summary>
      <ul>
        {inputs.rates.map(({ rate, value, text }) => value !== 0 && <Line key={rate} text={text} />)}
        {movements.map(({ date, text }, index) => (
          <Line key={index} text={`${formatDateTime(date)}: ${text}`} />
        ))}
      </ul>
    </details>
  </>
);

const Part = ({ title, children }: { title: string; children: ComponentChildren }) => (
  <div>
    <p class="part-title">{title}</p>
    {children}
  </div>
);

const Line = ({ text, end }: { text: string; end?: ComponentChildren }) => (
  <li>
    <span>
      <bdi>{formatAmountsIn(text)}</bdi>
      {end && <span class="line-end">{end}</span>}
    </span>
  </li>
);
