import { describe, expect, test } from 'vitest'
import { createMachine } from './machine.ts'
import { createObservations } from './observations.ts'
import { parseSource } from './syntax-tree.ts'

const classes = (count: number): string =>
  Array.from({ length: count }, (_, i) => (i === 0 ? 'class A0{}' : `class A${i} extends A${i - 1}{}`)).join(
    '\n',
  )

/** The value of `n` after as much of the script as the steps allow. */
function run(source: string, maxSteps: number): number {
  const machine = createMachine(createObservations(), maxSteps)
  const program = parseSource(source)
  if (program === null) throw new Error('not parsed')
  machine.runProgram(program, { text: source, called: [] })
  return Number(machine.globals.vars.get('n'))
}

describe('an instance of a class with many ancestors', () => {
  test.each([2, 6])('each of %d ancestors takes steps', (count) => {
    const rounds = (last: number): number =>
      run(`${classes(count + 1)}\nvar n=0;for(;;){n++;new A${last}()}`, 20_000)
    const without = rounds(0)
    expect(without).toBeGreaterThan(100)
    // A round without them takes about ten steps.
    expect(rounds(count)).toBeLessThan(without / (1 + count / 20))
  })

  test('members of a class without a constructor take steps, too', () => {
    const members = Array.from({ length: 200 }, (_, i) => `m${i};`).join('')
    const rounds = (body: string): number =>
      run(`class A{${body}}class B extends A{constructor(){super()}}var n=0;for(;;){n++;new B()}`, 20_000)
    expect(rounds(members)).toBeLessThan(rounds('') / 5)
  })

  test('what follows it is executed', () => {
    expect(run(`${classes(9000)}\n{var n=1;new A8999();n=2}`, 2_500_000)).toBe(2)
  })

  test('the constructor of the nearest ancestor that has one is executed', () => {
    const source = `class A{constructor(){n=5}}class B extends A{}class C extends B{}var n=0;new C()`
    expect(run(source, 10_000)).toBe(5)
  })

  test('a constructor function that a class extends is executed', () => {
    expect(run(`function A(){n=5}class B extends A{}class C extends B{}var n=0;new C()`, 10_000)).toBe(5)
  })
})
