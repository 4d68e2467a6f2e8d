// Step 3: what the last step does, what is still open, and the last step.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { entryPoint, turnOffPrevious } from '../../api/migration.ts'
import type { WireZone } from '../../api/zones.ts'
import { Section } from '../../parts/section.tsx'
import { migrationStrings as text } from '../../strings/migration.ts'
import { FinalForm, NoWayBack } from './final-form.tsx'
import type { StepProps } from './migration-screen.tsx'
import { useBothEvents } from './both-events.ts'
import { requestText } from './event-groups.ts'

export function TurnOffStep({ zone, mayWrite, isPending, onAct }: StepProps) {
  const { data: current } = useQuery(entryPoint(zone.id))
  const [before, after] = text.gone
  return (
    <>
      <NoWayBack />
      <Section title={text.whatHappens} note={text.whatHappensNote} kind="flush">
        <ul className="stack tight">
          <li>
            {before}
            <code>410</code>
            {after}
          </li>
          <li>{text.othersStay}</li>
          {current !== undefined && current !== null && (
            <li>{text.rulesStay(current.rules.length, current.version)}</li>
          )}
          <li>{text.snapshotKept}</li>
        </ul>
      </Section>
      <StillOpen zone={zone} />
      <Section title={text.turnOff} kind="end">
        <FinalForm
          zone={zone}
          label={text.turnOff}
          isDisabled={!mayWrite}
          isPending={isPending}
          onConfirmed={() => onAct({ run: () => turnOffPrevious(zone.id), done: text.turnedOff })}
        >
          <Link className="btn" to="/zones/$zone/migration/$step" params={{ zone: zone.name, step: 'ready' }}>
            {text.notNow}
          </Link>
        </FinalForm>
      </Section>
    </>
  )
}

const OPEN_SHOWN = 5

function StillOpen({ zone }: { readonly zone: WireZone }) {
  const { groups, error } = useBothEvents(zone.id)
  if (groups === undefined || error !== null) return null
  const open = groups.filter(({ legacy, fresh }) => legacy > 0 && fresh === 0)
  return (
    <Section title={text.stillOpen} note={text.stillOpenNote} mark={open.length === 0 ? 'ring' : 'warning'}>
      <div className="stack tight">
        {open.length === 0 && <p className="soft">{text.nothingOpen}</p>}
        {open.slice(0, OPEN_SHOWN).map((group) => (
          <p key={group.key}>
            <code>{requestText(group)}</code>
            {text.stillOpenRow(group.legacy)}
          </p>
        ))}
        {open.length > 0 && (
          <p>
            <Link
              className="link"
              to="/zones/$zone/migration/$step"
              params={{ zone: zone.name, step: 'ready' }}
            >
              {text.backToReady}
            </Link>
          </p>
        )}
      </div>
    </Section>
  )
}
