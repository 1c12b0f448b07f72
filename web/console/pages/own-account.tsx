import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Card, customTexts, Facts, Name, PageHead, textFacts } from '../components.tsx';
import { FormDialog, PasswordField, TextField, UsernameField } from '../form.tsx';
import { formatDate } from '../format.ts';
import { Loaded, useLoad } from '../load.tsx';
import { OwnData } from '../own-data.tsx';
import { OwnSessions } from '../own-sessions.tsx';
import { PayoutDetailsCard } from '../payout-details.tsx';
import { MissingDetails } from '../payout-request.tsx';
import type { AffiliateDetail } from '../records.ts';
import { loadSafety } from '../safety.ts';
import { SecondFactor } from '../second-factor.tsx';
import { api, getMe, isServed, postFields, setDisplayName } from '../session.ts';

/** The reader's own record, and what can be changed about it. */
export function OwnAccount() {
  const { user, is_affiliate } = getMe();
  const hasRecord = is_affiliate && isServed('get_affiliates_id');
  const affiliate = useLoad(hasRecord ? () => api.affiliates.get(user.id) : null, [hasRecord]);
  const safety = useLoad(loadSafety, []);
  return (
    <>
      <PageHead title="Account" lead="What the store has about you, and how you sign in." />
      {is_affiliate && canSaveDetails() && <PayoutDetailsCard />}
      {affiliate.value && !canSaveDetails() && <PayoutMethodCard affiliate={affiliate.value} />}
      {hasRecord ? (
        <Loaded from={affiliate}>{(record) => <OwnProfile affiliate={record} onSaved={affiliate.reload} />}</Loaded>
      ) : (
        <OwnProfile />
      )}
      <Card title="Password and sign-in">
        <OwnPassword onChanged={safety.reload} />
        <Loaded from={safety}>{({ second_factor }) => <SecondFactor of={second_factor} onChanged={safety.reload} />}</Loaded>
      </Card>
      {safety.value && <OwnSessions sessions={safety.value.sessions} onChanged={safety.reload} />}
      <OwnData />
    </>
  );
}

const canSaveDetails = (): boolean => isServed('get_me_payout_details', 'put_me_payout_details');

const accessWords = { admin: 'Admin of the program', affiliate: 'Affiliate', user: 'No coupon is assigned to you yet' };

function OwnProfile({ affiliate, onSaved }: { affiliate?: AffiliateDetail; onSaved?: () => void }) {
  const { user, access_level } = getMe();
  const [isOpen, setOpen] = useState(false);
  const change = isServed('patch_me_profile') && (
    <button type="button" class="plain" aria-label="Change your profile" onClick={() => setOpen(true)}>
      Change
    </button>
  );
  return (
    <Card title="Profile" actions={change}>
      <Facts
        of={[
          ['Name', <Name>{user.display_name}</Name>],
          ['Login', <Name>{user.login ?? ''}</Name>],
          ['E-mail', <Name>{user.email ?? ''}</Name>],
          ['Access', accessWords[access_level]],
          ...(affiliate ? profileFacts(affiliate) : []),
        ]}
      />
      {isOpen && <ProfileDialog {...(affiliate && { affiliate })} onSaved={() => onSaved?.()} onClose={() => setOpen(false)} />}
    </Card>
  );
}

/** Only affiliates have a telephone number and a website. */
function ProfileDialog({ affiliate, onSaved, onClose }: { affiliate?: AffiliateDetail; onSaved: () => void; onClose: () => void }) {
  const save = async (form: FormData): Promise<string> => {
    const change = Object.fromEntries([...form].map(([name, text]) => [name, String(text).trim()]));
    const { display_name } = await api.me.updateProfile(change);
    setDisplayName(display_name);
    onSaved();
    return 'Your profile is saved.';
  };
  return (
    <FormDialog title="Change your profile" action="Save profile" onSubmit={save} onClose={onClose}>
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
    </FormDialog>
  );
}

function OwnPassword({ onChanged }: { onChanged: () => void }) {
  const [isOpen, setOpen] = useState(false);
  const save = async (form: FormData): Promise<string> => {
    const fields = { old_password: String(form.get('old_password')), new_password: String(form.get('new_password')) };
    await postFields('/console/password', fields);
    onChanged();
    return 'Your password is changed. You are signed out in all other browsers.';
  };
  return (
    <div class="entry">
      <div>
        <h3>Password</h3>
        <p class="quiet">When you change it, all other browsers are signed out.</p>
      </div>
      <button type="button" class="plain" aria-label="Change your password" onClick={() => setOpen(true)}>
        Change
      </button>
      {isOpen && (
        <FormDialog title="Change your password" action="Change password" onSubmit={save} onClose={() => setOpen(false)}>
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
        </FormDialog>
      )}
    </div>
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
    <Facts of={profileFacts(affiliate)} />
  </Card>
);

const profileFacts = (affiliate: AffiliateDetail): (readonly [string, ComponentChildren])[] => [
  ['Affiliate since', formatDate(affiliate.date_registered)],
  ...textFacts([
    ['Website', affiliate.profile.website],
    ['Phone', affiliate.profile.phone],
    ['Promotes by', affiliate.profile.promote],
    ['Heard of the program from', affiliate.profile.referrer],
    ['Groups', affiliate.groups.join(', ')],
    ...Object.entries(affiliate.mla_parents ?? {}).map(
      ([tier, parent]) => [tier === 'T1' ? 'Recruited by' : `Recruited by, level ${tier.slice(1)}`, parent.display_name] as const,
    ),
    ...customTexts(affiliate.custom_fields),
  ]),
];

const PayoutMethodCard = ({ affiliate: { user, payout_method } }: { affiliate: AffiliateDetail }) => (
  <Card title="Payout method">
    {payout_method && (
      <Facts
        of={[
          ['Method', <Name>{payout_method.method}</Name>],
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
