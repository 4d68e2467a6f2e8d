// Scripts that keep the scorer as busy as they can, by the work that each of them makes.

export const BOUNDED_WORK: readonly (readonly [name: string, source: string])[] = [
  ['brackets within brackets', '['.repeat(100_000)],
  ['whole brackets within brackets', `${'['.repeat(20_000)}${']'.repeat(20_000)}`],
  ['a long sum', `x=${'a+'.repeat(60_000)}a`],
  ['a loop without end', 'for(;;){}'],
  ['a loop of loops', 'while(1){while(1){a+=a}}'],
  ['calls without end', 'function f(){f();f()}f()'],
  ['a text that doubles', `var a='x';for(;;)a+=a;`],
  ['an array that grows', 'var a=[];for(;;)a.push(a)'],
  ['an array in itself', 'var a=[];a[0]=a;x=a+"";new Image().src=a'],
  ['code that evaluates itself', `var s="eval(s)";eval(s)`],
  ['code that writes code', `var s='';for(var i=0;i<99;i++){s='eval('+JSON.stringify(s+i)+')';eval(s)}`],
  ['a pattern that would not end', `'${'a'.repeat(5000)}'.replace(/(a+)+$/,'')`],
  ['many handlers', `${'x.onclick=function(){x.onclick=function(){}};'.repeat(5000)}`],
  [
    'prototype names',
    `var o={};o.__proto__.x=1;o.constructor.constructor('a')();({})['toString']();''.constructor()`,
  ],
  ['octets', String.fromCharCode(...Array.from({ length: 5000 }, (_, i) => i % 256))],
  ['tags without end', '<script>'.repeat(20_000)],
  [
    'pages with text whose scripts do not end',
    `for(var i=0;i<24;i++)eval('<p id=a'+i+'>${'x'.repeat(210)}</p><script>var k_'+i+';var s="",j=0;while(j<1e9){s="a"+j;j=j+1}</scr'+'ipt>')`,
  ],
  ['tags that do not even begin', '<script '.repeat(37_000)],
  ['quotes that nothing closes', '<a b="'.repeat(40_000)],
  ['slashes that begin no pattern', '=/['.repeat(500_000)],
  ['quotes before quotes', '"\\'.repeat(100_000)],
  ['a long list as a text, again and again', `var a=[];for(var i=0;i<9999;i++)a.push(x);for(;;)b=a+''`],
  ['lists of lists of lists as a text', `var a=[1,2,3,4,5,6,7,8,9];for(;;){a=[a,a,a,a,a,a,a,a];b=a+''}`],
  [
    'lists of one list put together',
    `var a=Array(9).fill(1);for(;;){a=[a,a,a,a,a,a,a,a,a].flat();b=[a].flatMap(x=>a)}`,
  ],
  [
    'a long text joined with itself',
    `var s='${'x'.repeat(99_000)}',a=[];for(var i=0;i<9999;i++)a.push(s);b=a.join('');c=a.concat(x).join('')`,
  ],
  ['escapes, again and again', `var a='${'%41'.repeat(60_000)}';for(;;)unescape(a)`],
  ['long texts for a stranger', `var a='${'ab'.repeat(99_000)}';for(var i=0;;i++)x(a+i)`],
  ['long layers', `var a='${'a;'.repeat(99_000)}';for(var i=0;;i++)eval(a+i)`],
  [
    'a long list that may be returned, again and again',
    `var a=[];for(var i=0;i<400;i++)a.push({v:window['x'+i]});function f(){if(window.q)return a;return window.z}for(;;)f()`,
  ],
  ['a generator without end', 'function*g(){while(1)yield*g()}for(;;)[...g()]'],
  ['a promise for itself', 'var r,p=new Promise(f=>r=f);r(p);for(;;)p=p.then(()=>p.then(()=>p))'],
  [
    'getters that write their object as text',
    `var o={};for(var i=0;i<30;i++)Object.defineProperty(o,'g'+i,{get(){return JSON.stringify(o)}});JSON.stringify(o)`,
  ],
  [
    'a large object as JSON, again and again',
    `var o={};for(var i=0;i<20000;i++)o['k'+i]=1;for(;;)JSON.stringify(o)`,
  ],
  [
    'entries of a large object, again and again',
    `var o={};for(var i=0;i<20000;i++)o['k'+i]=1;for(;;)Object.entries(o)`,
  ],
  [
    'names of a large object, again and again',
    `var o={};for(var i=0;i<20000;i++)o['k'+i]=1;for(;;)for(var k in o)break`,
  ],
  ['entries of a long list, again and again', `var a=[];for(var i=0;i<20000;i++)a[i]=i;for(;;)a.entries()`],
  [
    'a long list that generators yield',
    `var a=[];for(var i=0;i<20000;i++)a[i]=i;function*g(n){yield*a;yield*a}for(var n=0;;)g(n++)`,
  ],
  [
    'style sheets, again and again',
    `var t='${'.a,#b{display:none}'.repeat(1000)}',s=document.createElement('style');for(;;)s.textContent=t`,
  ],
  [
    'an address with code that cannot be decoded, again and again',
    `var t='data:text/javascript;base64,${'Zm9v!'.repeat(40_000)}',s=document.createElement('script');for(;;)s.src=t`,
  ],
  [
    'blobs of code, again and again',
    `var t='${'a();'.repeat(40_000)}';for(;;)new Worker(URL.createObjectURL(new Blob([t,t])))`,
  ],
  ['code that evaluates itself twice', `var t='eval(t);eval(t)';eval(t)`],
  ['a setter that sets itself twice', `var o={set a(v){this.a=v;this.a=v}};o.a=1`],
  [
    'events that their listeners dispatch',
    `var e=new CustomEvent('a',{detail:1});for(var i=0;i<9;i++)addEventListener('a',function(){dispatchEvent(e);dispatchEvent(e)});dispatchEvent(e)`,
  ],
  [
    'a frame with many classes, and messages to it',
    `var f=document.createElement('iframe');f.className='a '.repeat(190000);for(var i=0;i<400;i++)f.contentWindow.postMessage(i,'*')`,
  ],
  [
    'an event with a long name, again and again',
    `var n='a'.repeat(260000),e=new CustomEvent(n);for(var i=0;i<10;i++)addEventListener(n,function(){});for(;;)dispatchEvent(e)`,
  ],
  [
    'an event with a long name, 4000 times',
    `var n='a'.repeat(260000),e=new CustomEvent(n);for(var i=0;i<10;i++)addEventListener(n,function(){});for(i=0;i<4000;i++)dispatchEvent(e)`,
  ],
  [
    'many events with long names',
    `var n='a'.repeat(260000);for(var i=0;;i++)dispatchEvent(new CustomEvent(n+i,{detail:i}))`,
  ],
  ['many events', `for(var i=0;;i++)dispatchEvent(new CustomEvent('a'+i,{detail:i}))`],
  [
    'a style sheet of one long selector, again and again',
    `var t='a'.repeat(19990)+'{',s=document.createElement('style');for(;;)s.textContent=t`,
  ],
  [
    'a style sheet of blocks within blocks, again and again',
    `var t=('a'.repeat(200)+'{'+'b'.repeat(400)+'{').repeat(33),s=document.createElement('style');for(;;)s.textContent=t`,
  ],
  [
    'two style sheets of many rules, in turn',
    `var t='.a,#b{display:none;top:0;left:0;visibility:hidden}'.repeat(390),u=t+'.a{}',s=document.createElement('style');for(;;){s.textContent=t;s.textContent=u}`,
  ],
  [
    'two style sheets of many selectors, in turn',
    `var t='.a,#b,'.repeat(3300)+'.a{display:none;top:0;left:0;visibility:hidden}',u=t+'.a{}',s=document.createElement('style');for(;;){s.textContent=t;s.textContent=u}`,
  ],
  [
    'listeners of an event whose name is a list of many, 60 times',
    `var n='a '.repeat(130000);for(var i=0;i<60;i++)$(document).on(n,function(){})`,
  ],
  [
    'listeners of many events, again and again',
    `var n='';for(var i=0;i<40000;i++)n+=' a'+i;for(;;)$(document).on(n,function(){})`,
  ],
  [
    'a frame that gets many classes, and a message each time',
    `var n='a '.repeat(190000),f=document.createElement('iframe');for(;;){f.className=n;f.contentWindow.postMessage(1)}`,
  ],
  [
    'a long text that may be the address of a wallet, again and again',
    `var n='0x'+'a'.repeat(380000),e=document.querySelector('p');for(;;)e.value=n`,
  ],
  ['a form by a long name, again and again', `var n='a'.repeat(380000);for(;;)new FormData(n)`],
  ...['location.hash', 'x.hash', 'document.cookie'].map((member): readonly [string, string] => [
    `a long list in ${member}, again and again`,
    `var a=[];for(var i=0;i<20000;i++)a.push({v:i});for(;;)${member}=a`,
  ]),
  [
    'pages, again and again',
    `var n='<p id=a onclick="alert(1)">'.repeat(14000);for(var i=0;;i++)document.body.innerHTML=n+i`,
  ],
  [
    'long encoded strings that are never decoded',
    `${Array.from({ length: 9 }, (_, i) => `x("${'%61'.repeat(40_000)}${i}")`).join(';')};for(;;){}`,
  ],
  [
    'a style sheet of rules within a rule of many selectors, again and again',
    `var t='.a,'.repeat(3000)+'.b{'+'&{display:none}'.repeat(600),u=t+'}',s=document.createElement('style');for(;;){s.textContent=t;s.textContent=u}`,
  ],
  [
    'a style sheet of comments that do not end',
    `var t='{'+'/*'.repeat(190000),i=0,s=document.createElement('style');for(;;)s.textContent=t+i++`,
  ],
  [
    'messages of a port to itself',
    `var c=new MessageChannel();for(var i=0;i<9;i++)c.port1.addEventListener('message',function(e){c.port2.postMessage(e.data);c.port2.postMessage(1)});c.port2.postMessage(1)`,
  ],
  [
    'many channels',
    `for(var i=0;;i++){var c=new MessageChannel();c.port1.onmessage=function(){};c.port2.postMessage(i)}`,
  ],
  [
    'an event with many members, again and again',
    `var e=new Event('a');for(var i=0;i<20000;i++)e['k'+i]=i;addEventListener('a',function(){});for(;;)dispatchEvent(e)`,
  ],
  [
    'an event with many members that have typed text, and its listeners, again and again',
    `var e=new Event('a'),v=document.querySelector('#a').value;for(var i=0;i<20000;i++)e['k'+i]=v;for(;;){addEventListener('a',function(){});dispatchEvent(e)}`,
  ],
  [
    'many getters of an object that is written as text, again and again',
    `var o={};for(var i=0;i<20000;i++)Object.defineProperty(o,'g'+i,{get(){return 1}});for(;;)JSON.stringify(o)`,
  ],
  ['a script that grows by a character', `var s=document.createElement('script');for(;;)s.text+='/'`],
  ['many texts', `x=[${Array.from({ length: 30_000 }, (_, i) => `"t${i}"`).join()}]`],
  [
    'a large object for a library, many times in a call',
    `var a={};for(var i=0;i<400;i++)a['k'+i]=q.w;for(;;)lib.on(${Array(20).fill('a').join()})`,
  ],
  [
    'a large object that a library maps',
    `var a={};for(var i=0;i<400;i++)a['k'+i]=q.w;for(;;)lib.map(a,function(){})`,
  ],
  [
    'listeners of ever more events, and messages to all of them',
    `for(var i=0;;i++){addEventListener('a'+i,function(){});document.body.dispatchEvent(new MessageEvent('message'))}`,
  ],
  [
    'many listeners of one event, which is dispatched again and again',
    `for(var i=0;i<20000;i++)addEventListener('a',function(){});for(;;)dispatchEvent(new Event('a'))`,
  ],
  [
    'many listeners with their own code, which is dispatched again and again',
    `${Array.from({ length: 6000 }, (_, i) => `onclick=function(){a=${i}}`).join(';')};for(;;)dispatchEvent(new Event('click'))`,
  ],
  [
    'events with ever longer names',
    `var n='a'.repeat(99000);for(var i=0;;i++){addEventListener(n+i,function(){});dispatchEvent(new Event(n+i))}`,
  ],
  [
    'events with ever more data that listeners get',
    `var v=document.querySelector('#a').value;for(var i=0;;i++){dispatchEvent(new CustomEvent('a',{['k'+i]:v}));addEventListener('a',function(){})}`,
  ],
  [
    'an event with many options, again and again',
    `var o={};for(var i=0;i<20000;i++)o['k'+i]=i;for(;;)new ErrorEvent('error',o)`,
  ],
  [
    'many members of the window at once, again and again',
    `var o={};for(var i=0;i<20000;i++)o['onk'+i]=function(){};for(;;)Object.assign(window,o)`,
  ],
  [
    'promises that are rejected, again and again',
    `addEventListener('unhandledrejection',function(e){Promise.reject(e.reason)});for(;;)Promise.reject(document.querySelector('#a').value)`,
  ],
  [
    'errors that handlers of errors throw',
    `onerror=function(m){throw m};addEventListener('error',function(e){throw e.error});throw document.querySelector('#a').value`,
  ],
  [
    'classes of events, again and again',
    `for(;;){class M extends Event{constructor(a){super(a);this.a=a}}dispatchEvent(new M('a'))}`,
  ],
  ['a chain of promises that grows', `var y,p=new Promise(f=>{y=f});for(;;)p=p.then(a=>a)`],
  [
    'a long chain of promises, again and again',
    `var n,p=new Promise((y,f)=>{n=f}),q=p;for(var i=0;i<20000;i++)q=q.finally();for(;;)n(document.querySelector('#a').value)`,
  ],
  [
    'promises that follow each other',
    `var y1,y2,p=new Promise(f=>{y1=f}),q=new Promise(f=>{y2=f});y1(q);y2(p);p.then(y2);q.then(y1);for(;;)y1(document.querySelector('#a').value)`,
  ],
  [
    'promises of which one of two is taken, again and again',
    `var p=new Promise(()=>{});for(;;)p=navigator.onLine?p:Promise.reject(document.querySelector('#a').value)`,
  ],
  [
    'promises of many, again and again',
    `var l=[];for(var i=0;i<20000;i++)l.push(Promise.reject(document.querySelector('#a').value));for(;;){Promise.all(l);Promise.allSettled(l)}`,
  ],
  [
    'exceptions under a condition, again and again',
    `for(;;)try{if(navigator.onLine)throw [document.querySelector('#a').value]}catch(e){try{throw e}finally{x=e}}`,
  ],
  ['an async function that waits for itself', `async function f(){try{await f()}catch(e){await f()}}f();f()`],
  [
    'exceptions in all branches',
    `function f(n){navigator.onLine?f(n):f(n);switch(n){case a:f(n);case b:throw n}throw n}f(document.querySelector('#a').value)`,
  ],
  [
    'signals that follow one, again and again',
    `var c=new AbortController(),s=c.signal;s.onabort=()=>c.abort(s.reason);for(;;){s=AbortSignal.any([s,c.signal,s]);c.abort(document.querySelector('#a').value)}`,
  ],
  [
    'ports for a worker, again and again',
    `var w=new Worker(URL.createObjectURL(new Blob(['onmessage=function(e){e.ports[0].postMessage(e.data)}'])));for(;;){var c=new MessageChannel();c.port1.onmessage=e=>w.postMessage(e.data,[c.port2]);w.postMessage(document.querySelector('#a').value,[c.port2])}`,
  ],
  [
    'code in ever more short texts',
    `function f(i){setTimeout('f('+i+')',1)}for(var i=0;;i++)setTimeout('f('+i+')',1)`,
  ],
  [
    'code in a short text that schedules itself',
    `function f(){setTimeout('f()');setTimeout('f()')}setTimeout('f()')`,
  ],
  [
    'promises whose reasons are promises, of which one of two is taken',
    `function f(p){for(let i=0;i<40;i++){const q=p;p=new Promise((y,n)=>{y(AbortSignal.abort(q));n(q)})}return p}const p=f(1);navigator.onLine?p:p;for(;;)navigator.onLine?f(p):f(document.querySelector('#a').value)`,
  ],
  [
    'a promise that is its own reason',
    `let no;const p=new Promise((y,n)=>{no=n});no(p);no(p);for(;;)no(navigator.onLine?p:Promise.reject(p))`,
  ],
  [
    'objects of which one of two is taken, again and again',
    `var a={},b={};for(var i=0;i<9999;i++)a['k'+i]=b['k'+i]=i;a.a=document.querySelector('#a').value;b.b=document.querySelector('#password').value;for(;;)a=navigator.onLine?a:b`,
  ],
  [
    'handlers of errors that wait for a promise, again and again',
    `var n,p=new Promise((y,f)=>{n=f});async function f(){try{await p}catch(e){f();throw e}}for(var i=0;i<2000;i++)f();for(;;)n(document.querySelector('#a').value)`,
  ],
  [
    'a request with many options and a signal, again and again',
    `var o=new AbortController();o={signal:o.signal};for(var i=0;i<20000;i++)o['k'+i]=i;for(;;)fetch('/x',o)`,
  ],
]
