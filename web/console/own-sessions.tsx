import { useState } from 'preact/hooks';
import { Card } from './components.tsx';
import { ActionDialog } from './dialog.tsx';
import { formatDateTime } from './format.ts';
import type { OwnSession } from './safety.ts';
import { callConsole } from './session.ts';

/** Where the reader is signed in. */
export function OwnSessions({ sessions, onChanged }: { sessions: readonly OwnSession[]; onChanged: () => void }) {
  const [ended, setEnded] = useState<OwnSession | 'others' | null>(null);
  const end = async (): Promise<void> => {
    await callConsole('DELETE', ended === 'others' || ended === null ? '/console/sessions' : `/console/sessions/${ended.id}`);
    onChanged();
  };
  const endOthers = sessions.length > 1 && (
    <button type="button" class="plain" onClick={() => setEnded('others')}>
      End all others
    </button>
  );
  return (
    <Card title="Sessions" actions={endOthers}>
      <ul class="entries">
        {sessions.map((session) => (
          <li key={session.id} class="entry">
            <div>
              <h3>{session.device}</h3>
              <p class="quiet">
                {session.address && `${session.address} · `}
                signed in {formatDateTime(session.date_signed_in)} · last used {formatDateTime(session.last_used)}
              </p>
            </div>
            {session.is_current ? (
              <span class="badge good">This browser</span>
            ) : (
              <button type="button" class="plain" aria-label={`End the session in ${session.device}`} onClick={() => setEnded(session)}>
                End
              </button>
            )}
          </li>
        ))}
      </ul>
      {ended !== null && (
        <ActionDialog
          title={ended === 'others' ? 'End all other sessions?' : 'End this session?'}
          action="End"
          isDangerous
          onSubmit={end}
          onClose={() => setEnded(null)}
        >
          <p>{ended === 'others' ? 'All other browsers are' : `${ended.device} is`} signed out at once.</p>
          <p class="quiet">You do not know it? Then change your password, too.</p>
        </ActionDialog>
      )}
    </Card>
  );
}
