import { Card, Facts, Name, PageHead } from '../components.tsx';
import { formatDate } from '../format.ts';
import { Loaded, useLoad } from '../load.tsx';
import type { AffiliateDetail } from '../records.ts';
import { api, getMe, isServed } from '../session.ts';

/** The reader's own record. */
export function OwnAccount() {
  const { user, is_affiliate, access_level } = getMe();
  const hasRecord = is_affiliate && isServed('get_affiliates_id');
  const affiliate = useLoad(hasRecord ? () => api.affiliates.get(user.id) : null, [hasRecord]);
  return (
    <>
      <PageHead title="Account" lead="What the store has about you." />
      <Card title="You">
        <Facts
          of={[
            ['Name', <Name>{user.display_name}</Name>],
            ['Login', <Name>{user.login ?? ''}</Name>],
            ['E-mail', <Name>{user.email ?? ''}</Name>],
            ['Access', { admin: 'Admin of the program', affiliate: 'Affiliate', user: 'No coupon is assigned to you yet' }[access_level]],
          ]}
        />
      </Card>
      {hasRecord && <Loaded from={affiliate}>{(record) => <AffiliateProfile affiliate={record} />}</Loaded>}
    </>
  );
}

/** Profile and payout method. Details of the method never leave the service. */
export const AffiliateProfile = ({ affiliate }: { affiliate: AffiliateDetail }) => (
  <div class="columns">
    <Card title="Profile">
      <Facts
        of={[
          ['Affiliate since', formatDate(affiliate.date_registered)],
          ['Website', <Name>{affiliate.profile.website}</Name>],
          ['Phone', <Name>{affiliate.profile.phone}</Name>],
          ['Promotes by', <Name>{affiliate.profile.promote}</Name>],
          ['Heard of the program from', <Name>{affiliate.profile.referrer}</Name>],
          ['Groups', <Name>{affiliate.groups.join(', ')}</Name>],
          ...Object.entries(affiliate.mla_parents ?? {}).map(
            ([tier, parent]) => [`Recruited by (${tier})`, <Name>{parent.display_name}</Name>] as const,
          ),
          ...Object.entries(affiliate.custom_fields).map(([name, value]) => [name, <Name>{String(value ?? '')}</Name>] as const),
        ]}
      />
    </Card>
    <Card title="Payout method">
      {affiliate.payout_method ? (
        <Facts
          of={[
            ['Method', <Name>{affiliate.payout_method.method}</Name>],
            ['Kind', affiliate.payout_method.method_type],
            ['Details', affiliate.payout_method.has_details ? 'Saved. They are never shown.' : 'Not saved yet.'],
          ]}
        />
      ) : (
        <p class="empty">No payout method is saved. Give it to the store.</p>
      )}
    </Card>
  </div>
);
