// Queries the nameserver about a zone, and explains the answer.
import { NameError, typeCode, typeText, type Name } from '@zonereeve/dns'
import { DomainError } from '@zonereeve/platform'
import type { Reader } from '@zonereeve/storage'
import { qualifyName } from '../dns-records/index.ts'
import { requireZone } from '../../zones/index.ts'
import type { ExplainedAnswer } from './query.rules.ts'

export interface QueryDeps {
  readonly storage: Reader
  /** Queries the nameserver; the contents of other zones are left out. */
  readonly explainAnswer: (zoneId: string, name: Name, type: number) => ExplainedAnswer
}

export interface AnsweredQuestion extends ExplainedAnswer {
  readonly name: Name
  readonly type: string
}

export type Query = ReturnType<typeof createQuery>

export function createQuery({ storage, explainAnswer }: QueryDeps) {
  return { ask }

  /**
   * @param nameText relative to the zone, `@`, or fully qualified.
   * @throws DomainError: zone.unknown, query.name, query.type.
   */
  async function ask(zoneId: string, nameText: string, typeName: string): Promise<AnsweredQuestion> {
    const zone = await requireZone(storage, zoneId)
    const name = readName(nameText, zone.name)
    const type = typeCode(typeName.trim())
    if (type === undefined)
      throw new DomainError({ reason: 'query.type', pointer: '/type', values: { type: typeName } })
    return { ...explainAnswer(zone.id, name, type), name, type: typeText(type) }
  }
}

function readName(text: string, apex: Name): Name {
  const reject = (problem: string): never => {
    throw new DomainError({ reason: 'query.name', pointer: '/name', values: { problem } })
  }
  try {
    return qualifyName(text.trim(), apex) ?? reject(`it ends in a dot and is not in the zone ${apex}`)
  } catch (error) {
    if (error instanceof NameError) return reject(error.message)
    throw error
  }
}
