// The directives of a policy with their sources: what each allows, what changed, and what is wrong.
import { DIRECTIVES, parseSource, printSource } from '@zonereeve/csp'
import { useState } from 'react'
import type { WireSimulation } from '../../api/policies.ts'
import { Field } from '../../parts/field.tsx'
import { TextField } from '../../parts/text-field.tsx'
import { FormFoot } from '../../parts/form-foot.tsx'
import { Icon } from '../../parts/icon.tsx'
import { SmallForm } from '../../parts/small-form.tsx'
import { policyStrings } from '../../strings/policies.ts'
import {
  withoutSource,
  withSource,
  type ListedDirective,
  type ListedPolicy,
  type ListedSource,
} from './policy-text.ts'

const text = policyStrings.form

/** Directives that a policy may contain. */
const OFFERED = [...DIRECTIVES].flatMap(([name, { refused, deprecated, value }]) =>
  refused === undefined && deprecated === undefined && value !== 'nothing' ? [name] : [],
)

export type SourceUses = WireSimulation['sources']

interface DirectiveListProps {
  readonly value: string
  readonly listed: ListedPolicy
  /** undefined until a simulation has answered. */
  readonly uses: SourceUses | undefined
  /** Whether they are of an earlier text. */
  readonly isOld: boolean
  readonly onValue: (value: string) => void
}

export function DirectiveList({ value, listed, uses, isOld, onValue }: DirectiveListProps) {
  if (listed.directives.length === 0) return <p className="soft">{text.noDirectives}</p>
  return (
    <ul className="dirs">
      {listed.directives.map((directive) => (
        <Directive
          key={directive.name}
          directive={directive}
          value={value}
          uses={uses?.filter((use) => use.directive === directive.name)}
          isOld={isOld}
          onValue={onValue}
        />
      ))}
    </ul>
  )
}

interface DirectiveProps {
  readonly directive: ListedDirective
  readonly value: string
  readonly uses: SourceUses | undefined
  readonly isOld: boolean
  readonly onValue: (value: string) => void
}

function Directive({ directive: { name, sources }, value, uses, isOld, onValue }: DirectiveProps) {
  return (
    <>
      <li className="dh">
        <b>{name}</b>
        <span className="dim">{text.sources(sources.filter(({ state }) => state !== 'removed').length)}</span>
      </li>
      {sources.map((source) => (
        <SourceRow
          key={`${source.text}${source.state}`}
          name={name}
          source={source}
          use={useOf(source.text, uses)}
          isOld={isOld}
          onChange={() =>
            onValue(
              source.state === 'removed'
                ? withSource(value, name, source.text)
                : withoutSource(value, name, source.text),
            )
          }
        />
      ))}
    </>
  )
}

type SourceUse = SourceUses[number]

/** The server prints sources in one form. */
function useOf(written: string, uses: SourceUses | undefined): SourceUse | undefined {
  const parsed = parseSource(written)
  return parsed === undefined ? undefined : uses?.find(({ source }) => source === printSource(parsed))
}

const ROW_CLASSES = { same: 'src', added: 'src a', removed: 'src d' } as const

interface SourceRowProps {
  readonly name: string
  readonly source: ListedSource
  readonly use: SourceUse | undefined
  readonly isOld: boolean
  readonly onChange: () => void
}

function SourceRow({ name, source, use, isOld, onChange }: SourceRowProps) {
  const { text: written, state, problems } = source
  const [problem] = problems
  const isWarning = problem !== undefined && problem.level !== 'note'
  const isRemoved = state === 'removed'
  const isCounted = !isWarning && !isRemoved && use !== undefined
  return (
    <li className={isWarning ? 'src w' : ROW_CLASSES[state]}>
      <span>
        {isWarning && <Icon name="warning" />}
        {!isWarning && state === 'added' && <Icon name="add" />}
        {!isWarning && isRemoved && <Icon name="remove" />}
      </span>
      <span title={written}>{written}</span>
      <span className={isOld ? 'dim old' : 'dim'}>{isCounted && <Use use={use} />}</span>
      <button
        type="button"
        className="btn bare"
        aria-label={isRemoved ? text.restore(written, name) : text.remove(written, name)}
        onClick={onChange}
      >
        <Icon name={isRemoved ? 'add' : 'close'} />
      </button>
      {problem !== undefined && (
        <span className={isWarning ? 'says warn' : 'says dim'}>{problem.message}</span>
      )}
    </li>
  )
}

function Use({ use: { scripts, connections, malicious } }: { readonly use: SourceUse }) {
  if (scripts + connections === 0) return text.unused
  const counts = [
    ...(scripts === 0 ? [] : [text.uses.script(scripts)]),
    ...(connections === 0 ? [] : [text.uses.connection(connections)]),
  ]
  return (
    <>
      {counts.join(', ')}
      {malicious > 0 && (
        <>
          {', '}
          <span className="bad">{text.malicious(malicious)}</span>
        </>
      )}
    </>
  )
}

interface SourceFormProps {
  readonly first: string
  readonly onAdd: (name: string, source: string) => void
  readonly onClose: () => void
}

export function SourceForm({ first, onAdd, onClose }: SourceFormProps) {
  const [name, setName] = useState(first)
  const [source, setSource] = useState('')
  const submit = (): void => {
    if (source.trim() !== '') onAdd(name, source.trim())
  }
  return (
    <SmallForm onClose={onClose} onSubmit={submit}>
      <div className="g2">
        <Field label={text.directive}>
          {(ids) => (
            <select {...ids} className="sel" value={name} onChange={({ target }) => setName(target.value)}>
              {OFFERED.map((offered) => (
                <option key={offered}>{offered}</option>
              ))}
            </select>
          )}
        </Field>
        <TextField
          label={text.source}
          hint={text.sourceHint}
          autoFocus
          required
          value={source}
          onChange={setSource}
        />
      </div>
      <FormFoot label={text.addSource} isBusy={false} onClose={onClose} />
    </SmallForm>
  )
}
