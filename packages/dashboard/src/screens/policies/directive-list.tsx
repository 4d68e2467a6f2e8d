// The directives of a policy with their sources: what changed is marked, what is wrong is said beside it.
import { DIRECTIVES } from '@zonereeve/csp'
import { useState, type FormEvent } from 'react'
import { Field } from '../../parts/field.tsx'
import { FormButton } from '../../parts/form-button.tsx'
import { FormFoot } from '../../parts/form-foot.tsx'
import { Icon } from '../../parts/icon.tsx'
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

interface DirectiveListProps {
  readonly value: string
  readonly listed: ListedPolicy
  readonly onValue: (value: string) => void
}

export function DirectiveList({ value, listed, onValue }: DirectiveListProps) {
  return (
    <>
      {listed.directives.length === 0 && <p className="soft">{text.noDirectives}</p>}
      {listed.directives.length > 0 && (
        <ul className="dirs">
          {listed.directives.map((directive) => (
            <Directive key={directive.name} directive={directive} value={value} onValue={onValue} />
          ))}
        </ul>
      )}
      <FormButton
        label={text.addSource}
        form={(close) => (
          <SourceForm
            first={listed.directives[0]?.name ?? 'script-src'} // none yet
            onAdd={(name, source) => {
              onValue(withSource(value, name, source))
              close()
            }}
            onClose={close}
          />
        )}
      />
    </>
  )
}

interface DirectiveProps {
  readonly directive: ListedDirective
  readonly value: string
  readonly onValue: (value: string) => void
}

function Directive({ directive: { name, sources }, value, onValue }: DirectiveProps) {
  return (
    <>
      <li className="dh">
        <b>{name}</b>
        <span className="dim">{sources.length === 0 && text.noSources}</span>
      </li>
      {sources.map((source) => (
        <SourceRow
          key={`${source.text}${source.state}`}
          name={name}
          source={source}
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

const ROW_CLASSES = { same: 'src', added: 'src a', removed: 'src d' } as const

interface SourceRowProps {
  readonly name: string
  readonly source: ListedSource
  readonly onChange: () => void
}

function SourceRow({ name, source: { text: written, state, problems }, onChange }: SourceRowProps) {
  const [problem] = problems
  const isWarning = problem !== undefined && problem.level !== 'note'
  const isRemoved = state === 'removed'
  return (
    <li className={isWarning ? 'src w' : ROW_CLASSES[state]}>
      <span>
        {isWarning && <Icon name="warning" />}
        {!isWarning && state === 'added' && <Icon name="add" />}
        {!isWarning && isRemoved && <Icon name="remove" />}
      </span>
      <span>{written}</span>
      <span className={isWarning ? 'warn' : 'dim'} title={problem?.message}>
        {problem?.message}
      </span>
      <button
        type="button"
        className="btn bare"
        aria-label={isRemoved ? text.restore(written, name) : text.remove(written, name)}
        onClick={onChange}
      >
        <Icon name={isRemoved ? 'add' : 'close'} />
      </button>
    </li>
  )
}

interface SourceFormProps {
  readonly first: string
  readonly onAdd: (name: string, source: string) => void
  readonly onClose: () => void
}

function SourceForm({ first, onAdd, onClose }: SourceFormProps) {
  const [name, setName] = useState(first)
  const [source, setSource] = useState('')
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (source.trim() !== '') onAdd(name, source.trim())
  }
  return (
    <form
      className="stack hi-form"
      onSubmit={submit}
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
    >
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
        <Field label={text.source} hint={text.sourceHint}>
          {(ids) => (
            <input
              {...ids}
              className="in"
              autoFocus
              required
              spellCheck={false}
              value={source}
              onChange={({ target }) => setSource(target.value)}
            />
          )}
        </Field>
      </div>
      <FormFoot label={text.addSource} isBusy={false} onClose={onClose} />
    </form>
  )
}
