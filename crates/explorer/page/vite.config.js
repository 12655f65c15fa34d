import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

const SERVER = "http://127.0.0.1:7373";

export default defineConfig({
  plugins: [svelte()],
  base: "./",
  build: {
    // The server's policy allows no inline scripts, and the built page is checked in: plain names keep its history readable.
    modulePreload: false,
    cssCodeSplit: false,
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        entryFileNames: "assets/page.js",
        chunkFileNames: "assets/[name].js",
        assetFileNames: "assets/page[extname]",
      },
    },
  },
  // The server answers only pages of its own.
  server: { proxy: { "/api": { target: SERVER, changeOrigin: true, headers: { origin: SERVER } } } },
});
