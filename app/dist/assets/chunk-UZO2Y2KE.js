import{E as i,ba as l,o as e}from"./chunk-SKWPLVYI.js";function r(){return e.value!=="connected"?null:l("span",{class:"live",children:i.shell.isLive})}export{r as a};
