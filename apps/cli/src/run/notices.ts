/** Where the model's notices go, once the session is open. */
export interface Notices {
  tell: (code: string, message: string) => void;
}
