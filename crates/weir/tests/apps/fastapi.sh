# "Bigger Applications" of FastAPI's tutorial, which comes with its source.
sdist fastapi 0.165.0
