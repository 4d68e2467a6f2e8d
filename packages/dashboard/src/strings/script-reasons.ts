// Plain words for the names in the reasons for scores.
export const scriptReasonStrings = {
  /** What a script reads. */
  data: {
    field: 'form fields',
    card: 'card numbers',
    password: 'passwords',
    keys: 'pressed keys',
    cookie: 'cookies',
    storage: 'stored data',
    page: 'content of the page',
    place: 'the address of the page',
    network: 'answers of servers',
    clipboard: 'the clipboard',
    clock: 'the time',
    chance: 'random numbers',
    agent: 'the name of the browser',
    referrer: 'the address of the page before',
  } as Readonly<Record<string, string>>,
  /** How it leaves the page. */
  ways: {
    fetch: 'a request (fetch)',
    xhr: 'a request (XMLHttpRequest)',
    ajax: 'a request (jQuery)',
    beacon: 'a request (sendBeacon)',
    image: 'the address of an image',
    socket: 'a WebSocket',
    script: 'the address of a script',
    frame: 'the address of a frame',
    form: 'a form',
    action: 'the target of a form',
    navigation: 'leading to another page',
    message: 'a message to another window',
    storage: 'the storage of the browser',
    code: 'code that it runs',
    markup: 'HTML that it writes',
    clipboard: 'the clipboard',
  } as Readonly<Record<string, string>>,
  and: ' and ',
  leaves: (data: string, way: string, where: string) => `${data} can leave the page by ${way}${where}`,
  sent: (data: string, address: string, way: string, rest: string) =>
    `${data} to ${address} by ${way}${rest}`,
  feature: 'has what such scripts often have',
} as const
