// The whole way with openapi-fetch, typed by what openapi-typescript makes of the description: a field that is missing there, or
// of another type, does not compile. usage: node way.js BASE KEY ADDRESS, or node way.js BASE KEY ADDRESS STATUS CODE for a
// creation that is refused and told when to come back.
import createClient from 'openapi-fetch';
import type { components, paths } from './description.js';

declare const process: { argv: string[] };

const [, , baseUrl = '', key = '', adresse = '', status, code] = process.argv;
const client = createClient<paths>({ baseUrl, headers: { 'X-API-Key': key } });

function expect(what: string, found: unknown, wanted: unknown): void {
  if (JSON.stringify(found) === JSON.stringify(wanted)) return;
  throw new Error(`${what}: ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}`);
}

const create = (text: string) =>
  client.POST('/projekte', { body: { name: 'Fremd', adresse: text, jahresverbrauch_kwh: 4500, lastprofil: 'H0' } });

async function refused(text: string, wanted: number, name: string): Promise<components['schemas']['Fehler']> {
  const { error, response } = await create(text);
  if (!error) throw new Error(`${text}: ${response.status}, not refused`);
  expect(text, [response.status, error.status, error.fehler.code], [wanted, wanted, name]);
  return error;
}

/// Asks as often as it is told to, for a minute at most.
async function result(projekt_id: number): Promise<components['schemas']['Ergebnis']> {
  for (const end = Date.now() + 60_000; Date.now() < end; ) {
    const { data, error, response } = await client.GET('/projekte/{projekt_id}/dachanalyse', {
      params: { path: { projekt_id } },
    });
    if (error) throw new Error(`${response.status} ${error.fehler.code}`);
    if (data.zustand === 'fertig') return data;
    expect('Retry-After', Number(response.headers.get('Retry-After')), data.erneut_in_s);
    await new Promise((done) => setTimeout(done, 1000 * data.erneut_in_s));
  }
  throw new Error('no result in a minute');
}

async function pictures(projekt_id: number, surface: components['schemas']['Dachflaeche']): Promise<void> {
  const path = { projekt_id, nummer: surface.id };
  const png = await client.GET('/projekte/{projekt_id}/bilder/flaeche/{nummer}', {
    params: { path, query: { format: 'png', breite: 300 } },
    parseAs: 'blob',
  });
  expect('a surface', [png.response.status, (png.data as Blob | undefined)?.type], [200, 'image/png']);
  const svg = await client.GET('/projekte/{projekt_id}/bilder/uebersicht', { params: { path }, parseAs: 'text' });
  expect('the overview', svg.data?.includes('<svg'), true);
  const none = await client.GET('/projekte/{projekt_id}/bilder/flaeche/{nummer}', {
    params: { path: { projekt_id, nummer: 9999 } },
  });
  expect('no such surface', [none.response.status, none.error?.fehler.vorhanden?.[0]], [404, 1]);
  const model = await client.GET('/projekte/{projekt_id}/modell', { params: { path } });
  expect('the model', [model.response.status, model.error?.fehler.code], [404, 'modell_fehlt']);
  const media = await client.GET('/projekte/{projekt_id}/medien', { params: { path } });
  expect('an overview in the list', media.data?.medien.find((one) => one.art === 'bild_uebersicht')?.vorhanden, true);
}

async function wholeWay(): Promise<void> {
  const { data: created, response } = await create(adresse);
  if (!created) throw new Error(`not created: ${response.status}`);
  const id = created.projekt_id;
  expect('what was sent', [created.adresse, created.zustand], [adresse, 'läuft']);
  const done = await result(id);
  const surface = done.flaechen.find((one) => one.module_moeglich > 0);
  if (!surface) throw new Error('no surface with modules');
  expect('an outline of points', surface.umriss.coordinates[0]?.[0]?.length, 2);
  expect('a source', done.quellen.length > 0, true);
  await pictures(id, surface);

  const again = await refused(adresse, 409, 'projekt_besteht_bereits');
  expect('the project there is', again.bestehendes_projekt?.analyse_url, created.analyse_url);
  await refused('x'.repeat(201), 400, 'adresse_zu_lang');
  const typo = await refused(adresse.replace('straße', 'strase'), 404, 'adresse_nicht_eindeutig');
  expect('what was meant', typo.fehler.gefunden?.[0], adresse);

  const query = { adresse, jahresverbrauch_kwh: 4500 };
  const single = await client.GET('/analyse', { params: { query } });
  expect('the single call', single.data?.zustand, 'fertig');
  const list = await client.GET('/projekte', { params: { query: { limit: 1 } } });
  expect('the list', list.data?.projekte[0]?.projekt_id, id);
  const restarted = await client.POST('/projekte/{projekt_id}/dachanalyse', {
    params: { path: { projekt_id: id } },
    body: { lastprofil: 'G0' },
  });
  expect('restarted', restarted.data?.zustand, 'läuft');
  expect('the last profile', (await result(id)).lastprofil, 'G0');
  const stranger = createClient<paths>({ baseUrl, headers: { 'X-API-Key': 'dach_falsch' } });
  expect('a wrong key', (await stranger.GET('/projekte')).error?.fehler.code, 'schluessel_ungueltig');
}

/// Creates until it is refused, which it is at the second address at the latest.
async function wait(wanted: number, name: string): Promise<void> {
  let last = await create(adresse);
  if (last.data) last = await create(adresse.replace(/\d+/, '3'));
  expect('refused', [last.response.status, last.error?.fehler.code], [wanted, name]);
  const seconds = last.response.headers.get('Retry-After') ?? '';
  expect('seconds to wait', Number(seconds) > 0 && last.error?.fehler.tu.includes(seconds), true);
}

await (status && code ? wait(Number(status), code) : wholeWay());
