// Passkeys: the two forms that a browser's authenticator fills in. #passkey-anlegen and #passkey-anmelden are hidden until a browser
// shows that it can; what it answers goes into hidden fields, as base64url, and the form is sent as any other.

interface Question {
  frage: string;
  host: string;
  nutzer?: string;
  email?: string;
  vorhanden?: string[];
}

const PATIENCE_MS = 120000;
// ES256, EdDSA, RS256: an authenticator takes the first that it can.
const ALGORITHMS = [-7, -8, -257];

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replace(/-/g, "+").replace(/_/g, "/"));
  return Uint8Array.from(binary, (c) => c.charCodeAt(0));
}

function textOf(bytes: ArrayBuffer): string {
  const binary = Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join("");
  return btoa(binary).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

async function questionOf(form: HTMLFormElement): Promise<Question> {
  const answer = await fetch(form.dataset.frageUrl ?? "", { headers: { Accept: "application/json" }, cache: "no-store" });
  if (!answer.ok) throw new Error(String(answer.status));
  return (await answer.json()) as Question;
}

function put(form: HTMLFormElement, name: string, value: string): void {
  let field = form.querySelector<HTMLInputElement>(`input[type=hidden][name=${name}]`);
  if (!field) {
    field = document.createElement("input");
    field.type = "hidden";
    field.name = name;
    form.append(field);
  }
  field.value = value;
}

async function make(form: HTMLFormElement): Promise<void> {
  const asked = await questionOf(form);
  const email = asked.email ?? "";
  const made = (await navigator.credentials.create({
    publicKey: {
      rp: { id: asked.host, name: "Dachanalyse" },
      user: { id: bytesOf(asked.nutzer ?? ""), name: email, displayName: email },
      challenge: bytesOf(asked.frage),
      pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: "public-key" as const, alg })),
      authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification: "required" },
      excludeCredentials: (asked.vorhanden ?? []).map((id) => ({ type: "public-key" as const, id: bytesOf(id) })),
      attestation: "none",
      timeout: PATIENCE_MS,
    },
  })) as PublicKeyCredential;
  const response = made.response as AuthenticatorAttestationResponse;
  put(form, "frage", asked.frage);
  put(form, "client_data", textOf(response.clientDataJSON));
  put(form, "authenticator_data", textOf(response.getAuthenticatorData()));
  put(form, "oeffentlicher_schluessel", textOf(response.getPublicKey() ?? new ArrayBuffer(0)));
}

async function use(form: HTMLFormElement): Promise<void> {
  const asked = await questionOf(form);
  const used = (await navigator.credentials.get({
    publicKey: { challenge: bytesOf(asked.frage), rpId: asked.host, userVerification: "required", timeout: PATIENCE_MS },
  })) as PublicKeyCredential;
  const response = used.response as AuthenticatorAssertionResponse;
  put(form, "frage", asked.frage);
  put(form, "kennung", textOf(used.rawId));
  put(form, "nutzer", textOf(response.userHandle ?? new ArrayBuffer(0)));
  put(form, "client_data", textOf(response.clientDataJSON));
  put(form, "authenticator_data", textOf(response.authenticatorData));
  put(form, "signatur", textOf(response.signature));
  if (document.querySelector<HTMLInputElement>("#nur-heute")?.checked) put(form, "nur_heute", "ja");
}

/** A browser says the same of a person who gave up and of a device without a passkey: only that it was not allowed. */
function wordsFor(fault: unknown): string {
  const name = fault instanceof DOMException ? fault.name : "";
  if (name === "InvalidStateError") return "Dieses Gerät hat schon einen Passkey für Ihr Konto.";
  if (name === "NotAllowedError") return "Das Gerät hat keinen Passkey bestätigt. Versuchen Sie es noch einmal.";
  return "Das hat nicht geklappt. Laden Sie die Seite neu und versuchen Sie es noch einmal.";
}

function offer(form: HTMLFormElement, ask: (form: HTMLFormElement) => Promise<void>): void {
  const button = form.querySelector<HTMLButtonElement>("button[name=tat]");
  const told = form.querySelector<HTMLElement>("p.error");
  if (!button || !told) return;
  let answered = false;
  form.hidden = false;
  form.addEventListener("submit", async (event) => {
    if (answered) return;
    event.preventDefault();
    button.disabled = true;
    told.hidden = true;
    try {
      await ask(form);
      answered = true;
    } catch (fault) {
      told.textContent = wordsFor(fault);
      told.hidden = false;
    }
    button.disabled = false;
    if (answered) form.requestSubmit(button);
  });
}

export function offerPasskeys(): void {
  if (!("PublicKeyCredential" in window) || !navigator.credentials) return;
  const making = document.querySelector<HTMLFormElement>("#passkey-anlegen");
  if (making && "getPublicKey" in AuthenticatorAttestationResponse.prototype) {
    offer(making, make);
    document.getElementById("passkey-nicht")?.remove();
  }
  const using = document.querySelector<HTMLFormElement>("#passkey-anmelden");
  if (using) offer(using, use);
}
