import { Card, PageHead } from '../components.tsx';
import { AllOrders } from '../lists.tsx';
import { RangeChoice } from '../range.tsx';

/** The orders of all coupons. One is found by its number, whenever it was placed. */
export function ProgramOrders() {
  return (
    <>
      <PageHead title="Orders" lead="What affiliates referred. Each order explains its commission." />
      <Card actions={<RangeChoice />}>
        <AllOrders hasAffiliates />
      </Card>
    </>
  );
}
