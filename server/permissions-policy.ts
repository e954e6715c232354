/**
 * What a browser lets our pages, and whatever they should ever hold, do with the machine: nothing but what is used (the clipboard for
 * «Скопировать», and passkeys), and that on our own pages alone. A site that shows the widget cannot give its frame more: a feature
 * needs the leave of both.
 */
const USED = ["clipboard-write", "publickey-credentials-create", "publickey-credentials-get"];
const DENIED = [
  "accelerometer",
  "autoplay",
  "browsing-topics",
  "camera",
  "clipboard-read",
  "display-capture",
  "encrypted-media",
  "fullscreen",
  "geolocation",
  "gyroscope",
  "hid",
  "idle-detection",
  "local-fonts",
  "magnetometer",
  "microphone",
  "midi",
  "payment",
  "picture-in-picture",
  "screen-wake-lock",
  "serial",
  "storage-access",
  "usb",
  "window-management",
  "xr-spatial-tracking",
];

export const PERMISSIONS_POLICY = [...USED.map((name) => `${name}=(self)`), ...DENIED.map((name) => `${name}=()`)].join(
  ", ",
);
