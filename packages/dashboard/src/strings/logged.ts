// Texts of what rules log with an event.
export const loggedStrings = {
  title: 'Logged',
  response: (name: string) => `response, ${name}`,
  cookie: (name: string) => `cookie, ${name}`,
  shortened: 'Some of it was too long, and was cut or left out.',
} as const
