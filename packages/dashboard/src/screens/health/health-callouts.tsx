// What of the server's state needs attention; one quiet sentence if nothing does.
import type { ReactNode } from 'react'
import type { WireHealth } from '../../api/server-health.ts'
import { CopyButton } from '../../parts/copy-button.tsx'
import { Icon } from '../../parts/icon.tsx'
import { age } from '../../parts/time.tsx'
import { healthStrings as text } from '../../strings/server-health.ts'

const FREE_SHARE = 0.1
const OLD_MILLIS = 2 * 86_400_000

export function HealthCallouts({ health }: { readonly health: WireHealth }) {
  const { ready, problems, disk, backup, jobs, database } = health
  const free = disk === null || disk.total_bytes === 0 ? 1 : disk.free_bytes / disk.total_bytes
  const failing = jobs.filter(({ failed }) => failed).length
  const isBackupOld = backup !== null && Date.now() - Date.parse(backup.created_at) > OLD_MILLIS
  const hasNoBackup = backup === null && database.engine === 'sqlite'
  const isWell = ready && problems.length === 0 && free >= FREE_SHARE && failing === 0
  return (
    <>
      {!ready && (
        <Callout tone="b">
          <b>{text.notReady}</b> {text.notReadyDetail}
        </Callout>
      )}
      {problems.length > 0 && (
        <Callout tone="b">
          <b>{text.problems}</b>
          <ul className="lines mono">
            {problems.map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        </Callout>
      )}
      {free < FREE_SHARE && (
        <Callout tone="w">
          <b>{text.fullDisk(`${Math.floor(free * 100)} %`)}</b> {text.fullDiskDetail}
        </Callout>
      )}
      {failing > 0 && (
        <Callout tone="w">
          <b>{text.failing(failing)}</b>
        </Callout>
      )}
      {(hasNoBackup || isBackupOld) && (
        <Callout tone="w" command={text.backupCommand}>
          <b>{hasNoBackup || backup === null ? text.noBackup : text.oldBackup(age(backup.created_at))}</b>{' '}
          {hasNoBackup ? text.noBackupDetail : text.oldBackupDetail} <code>{text.backupCommand}</code>
        </Callout>
      )}
      {isWell && !hasNoBackup && !isBackupOld && <p className="pad soft">{text.allWell}</p>}
    </>
  )
}

interface CalloutProps {
  readonly tone: 'b' | 'w'
  readonly command?: string
  readonly children: ReactNode
}

function Callout({ tone, command, children }: CalloutProps) {
  return (
    <div className={`callout ${tone}`}>
      <span className={tone === 'b' ? 'bad' : 'warn'}>
        <Icon name={tone === 'b' ? 'wrong' : 'warning'} />
      </span>
      <div>{children}</div>
      {command !== undefined && <CopyButton text={command} />}
    </div>
  )
}
