import { Card, Facts, Name, PageHead } from '../components.tsx';
import { Form, PasswordField, TextField, UsernameField } from '../form.tsx';
import { formatDate } from '../format.ts';
import { Loaded, useLoad } from '../load.tsx';
import { PayoutDetailsCard } from '../payout-details.tsx';
import { MissingDetails } from '../payout-request.tsx';
import type { AffiliateDetail } from '../records.ts';
import { api, getMe, isServed, postFields, setDisplayName } from '../session.ts';

/** The reader's own record, and what can be changed about it. */
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
      {is_affiliate && canSaveDetails() && <PayoutDetailsCard />}
      {hasRecord && (
        <Loaded from={affiliate}>
          {(record) => (
            <div class="columns">
              <ProfileCard affiliate={record} />
              {isServed('patch_me_profile') && <ProfileForm affiliate={record} onSaved={affiliate.reload} />}
              {!canSaveDetails() && <PayoutMethodCard affiliate={record} />}
            </div>
          )}
        </Loaded>
      )}
      {!hasRecord && isServed('patch_me_profile') && <ProfileForm />}
      <PasswordCard />
    </>
  );
}

const canSaveDetails = (): boolean => isServed('get_me_payout_details', 'put_me_payout_details');

/** Only affiliates have a telephone number and a website. */
function ProfileForm({ affiliate, onSaved }: { affiliate?: AffiliateDetail; onSaved?: () => void }) {
  const save = async (form: FormData): Promise<string> => {
    const change = Object.fromEntries([...form].map(([name, text]) => [name, String(text).trim()]));
    const { display_name } = await api.me.updateProfile(change);
    setDisplayName(display_name);
    onSaved?.();
    return 'Saved.';
  };
  return (
    <Card title="Change your profile">
      <Form action="Save profile" onSubmit={save}>
        {(problemOf) => (
          <>
            <TextField
              name="display_name"
              label="Name"
              required
              maxLength={250}
              autocomplete="name"
              defaultValue={getMe().user.display_name}
              problem={problemOf('display_name', 'The name')}
            />
            {affiliate && (
              <>
                <TextField
                  name="website"
                  label="Website"
                  maxLength={5000}
                  defaultValue={affiliate.profile.website}
                  problem={problemOf('website', 'The website')}
                />
                <TextField
                  name="phone"
                  label="Telephone"
                  type="tel"
                  maxLength={100}
                  autocomplete="tel"
                  defaultValue={affiliate.profile.phone}
                  problem={problemOf('phone', 'The telephone number')}
                />
              </>
            )}
          </>
        )}
      </Form>
    </Card>
  );
}

function PasswordCard() {
  const save = async (form: FormData): Promise<string> => {
    const fields = { old_password: String(form.get('old_password')), new_password: String(form.get('new_password')) };
    await postFields('/console/password', fields);
    return 'Your password is changed. You are signed out in all other browsers.';
  };
  return (
    <Card title="Change your password">
      <Form action="Change password" isCleared onSubmit={save}>
        {(problemOf) => (
          <>
            <UsernameField />
            <PasswordField
              name="old_password"
              label="Old password"
              autocomplete="current-password"
              problem={problemOf('old_password', 'The old password')}
            />
            <PasswordField
              name="new_password"
              label="New password"
              autocomplete="new-password"
              minLength={10}
              hint="At least 10 characters."
              problem={problemOf('new_password', 'The')}
            />
          </>
        )}
      </Form>
    </Card>
  );
}

/** Profile and payout method. Details of the method never leave the service. */
export const AffiliateProfile = ({ affiliate }: { affiliate: AffiliateDetail }) => (
  <div class="columns">
    <ProfileCard affiliate={affiliate} />
    <PayoutMethodCard affiliate={affiliate} />
  </div>
);

const ProfileCard = ({ affiliate }: { affiliate: AffiliateDetail }) => (
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
);

const PayoutMethodCard = ({ affiliate: { user, payout_method } }: { affiliate: AffiliateDetail }) => (
  <Card title="Payout method">
    {payout_method && (
      <Facts
        of={[
          ['Method', <Name>{payout_method.method}</Name>],
          ['Kind', payout_method.method_type],
          ['Details', payout_method.has_details ? 'Saved. They are never shown.' : 'Not saved yet.'],
        ]}
      />
    )}
    {!payout_method && user.id !== getMe().user.id && (
      <p>
        <MissingDetails user={user} />
      </p>
    )}
    {!payout_method && user.id === getMe().user.id && <p class="empty">No payout method is saved. Give it to the store.</p>}
  </Card>
);
