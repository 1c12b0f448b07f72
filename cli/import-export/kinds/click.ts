import type { IncomingClick } from '../../../domain/clicks/incoming.ts';
import type { ExportedClick } from '../../../domain/exports/store.ts';
import { id, moment, optional, readFields, type Store, text } from '../fields.ts';
import { writtenMoment } from '../moments.ts';
import { unless } from '../omit-default.ts';
import { visitor, writtenVisitor } from './visitor.ts';

export const clickFields = {
  coupon_id: optional(id),
  coupon_code: optional(text(100)),
  date: moment,
  visitor,
  campaign: optional(text(100)),
  referrer: optional(text(2000)),
  landing_page: optional(text(2000)),
};

export function readClick(raw: Record<string, unknown>, store: Store): IncomingClick {
  const { coupon_id, coupon_code, date, landing_page, ...rest } = readFields(clickFields, raw, store);
  return { ...rest, couponId: coupon_id, couponCode: coupon_code, clickedAt: date, landingPage: landing_page };
}

export const writeClick = (click: ExportedClick, { zone }: Store): Record<string, unknown> => ({
  coupon_id: click.couponId,
  date: writtenMoment(click.clickedAt, zone),
  visitor: writtenVisitor(click.visitorHash),
  campaign: unless(click.campaign, null),
  referrer: unless(click.referrer, null),
  landing_page: unless(click.landingPage, null),
});
